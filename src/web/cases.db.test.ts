/** A desk of cases: numbers that a step gives, branches, what is absent for who may not see it, and all that stand in the way. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { appOf } from '../kinds/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

const app = appOf(`# Cases

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /cases | Cases | everyone signed in | list of Case |
| /cases/{number} | Case | everyone signed in | one Case |
| /visits | Visits | everyone signed in | list of Visit |

## 3 Entities and their fields

### Case

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number AE-{yyyy}-{0000} | gapless; given on submit |
| title | text 40 | required; unique else E-TITLE |
| serious | yes/no | default no |
| ground | text 40 | |
| remark | text 40 | |
| cause | text 40 | only when serious |

#### Sample data

| title | state |
| --- | --- |
| First | Draft |
| Second | Open |

### Secret

| Field | Type |
| --- | --- |
| text | text 20 |

### Person

#### Sample data

| name | role |
| --- | --- |
| Zoe Zimmer | Chief |
| Yan | |

### Visit

| Field | Type | Rules |
| --- | --- | --- |
| of | Case | required |
| place | text 20 | |

## 4 States and transitions

### Case

| State | Kind |
| --- | --- |
| Draft | start |
| Open | |
| Closed | end |

| Transition | From | To | Who | When | Asks | Then |
| --- | --- | --- | --- | --- | --- | --- |
| submit | Draft, Open | Open | Clerk | | | |
| close | Open | Closed | Clerk | serious | ground required, cause | |
| close | Open | Closed | Clerk | not serious | remark, cause | |
| shut | Open | Closed | Clerk | | | do stop on (Visit where of = this and state = Planned order by place) |

### Visit

| State | Kind |
| --- | --- |
| Planned | start |
| Done | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| finish | Planned | Done | Chief |
| stop | Planned | Done | none |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Visit on stop | state is empty | E-PLANNED |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | everyone signed in |
| Chief | appointed by Chief |

### Case

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | yes | all |

### Secret

| Role | See | Create |
| --- | --- | --- |
| Chief | yes | yes |

### Visit

| Role | See | Create |
| --- | --- | --- |
| Clerk | yes | yes |
| Chief | yes | no |

| Field | See | Change |
| --- | --- | --- |
| state | Chief | none |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-TITLE | There is such a case. |
| E-PLANNED | The visit {place} is still planned. |
`)

let web: TestWeb
let clerk: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app)
  clerk = await web.browser('Cleo')
})
afterAll(() => web?.stop())

const cases = () =>
  web.run.runtime.store.query<{ id: string; title: string; number: string | null }>(
    sql`select id, title, number from public.case order by created_at, title`,
  )
const api = async (method: string, path: string, body?: object) => {
  const { status, text } = await clerk.json(method, `/api/v1/${path}`, body)
  return { status, ...(text === '' ? {} : JSON.parse(text)) }
}

test('a step gives the number, without a gap; before, the record is addressed by its id', async () => {
  expect(await cases()).toMatchObject([
    { title: 'First', number: null },
    { title: 'Second', number: 'AE-2026-0001' },
  ])
  const made = await Promise.all(['A', 'B', 'C', 'D'].map(title => api('POST', 'case', { title })))
  expect(made.map(({ status, number }) => [status, number])).toEqual(Array(4).fill([201, null]))
  const [a, ...others] = made
  // Without a number it has no place in the series, and may go.
  expect((await api('DELETE', `case/${others.pop()!.id}`)).status).toBe(204)
  const list = (await clerk.get('/cases')).text
  expect([list.includes(`/cases/${a.id}`), list.includes('/cases/AE-2026-0001')]).toEqual([true, true])
  const page = await clerk.get(`/cases/${a.id}`)
  expect([page.status, page.text.includes(`/cases/${a.id}/edit`)]).toEqual([200, true])
  expect((await clerk.get(`/cases/${a.id}/edit`)).status).toBe(200)
  await api('POST', 'visit', { of: a.id, place: 'Ward' })
  expect((await clerk.get('/visits')).text).toMatch(/role="cell">A</)
  const sent = await clerk.submit(`/cases/${a.id}`, `/cases/${a.id}/do/submit`)
  expect((await clerk.get(sent.location!)).text).toContain('AE-2026-0002')
  const taken = await Promise.all(others.map(({ id }) => api('POST', `case/${id}/submit`)))
  expect(taken.map(({ number }) => number).sort()).toEqual(['AE-2026-0003', 'AE-2026-0004'])
  // Once given, it stays; the address by its id leads there all the same.
  expect((await api('POST', `case/${a.id}/submit`)).number).toBe('AE-2026-0002')
  const numbered = await clerk.get('/cases/AE-2026-0002')
  expect([numbered.status, numbered.text.includes('AE-2026-0002')]).toEqual([200, true])
  expect((await clerk.get(`/cases/${a.id}`)).status).toBe(200)
  expect((await clerk.get('/visits')).text).toContain('>A · AE-2026-0002<')
  expect((await api('DELETE', `case/${a.id}`)).code).toBe('NF-GAPLESS')
  const history = await web.run.runtime.store.query<{ changes: unknown }>(
    sql`select changes from ninefold.history where record = ${a.id}::uuid and what = 'submit' order by version`,
  )
  expect(JSON.stringify(history[0]?.changes)).toContain('AE-2026-0002')
  expect(JSON.stringify(history[1]?.changes)).not.toContain('number')
})

test('an entity of which a role sees nothing is answered like one that does not exist; in dev the line is said', async () => {
  const { id } = (await cases())[0]!
  const ask = async (name: string, browser = clerk) =>
    Promise.all(
      [
        ['GET', name],
        ['POST', name],
        ['GET', `${name}/${id}`],
        ['DELETE', `${name}/${id}`],
      ].map(async ([method, path]) => {
        const { status, text } = await browser.json(method!, `/api/v1/${path}`, method === 'POST' ? {} : undefined)
        const { request, line, ...said } = JSON.parse(text)
        return { answer: { status, ...said }, line }
      }),
    )
  const [hidden, none] = [await ask('secret'), await ask('nothing')]
  expect(hidden.map(({ answer }) => answer)).toEqual(none.map(({ answer }) => answer))
  expect(none.map(({ answer, line }) => [answer.status, line])).toEqual(Array(4).fill([404, undefined]))
  expect(hidden[0]?.line).toMatch(/^app\.md:\d+$/)
  expect((await ask('secret', await web.browser(null)))[0]?.answer.status).toBe(401)
})

test('a filter for what one may not see is not offered', async () => {
  const isOffered = async (path: string) => (await clerk.get(path)).text.includes('id="filter-state"')
  expect([await isOffered('/cases'), await isOffered('/visits')]).toEqual([true, false])
})

test('the form of a step asks what the branch asks that is taken, and nothing that is not there', async () => {
  const asked = async (serious: boolean) => {
    const { id } = await api('POST', 'case', { title: `Serious ${serious}`, serious })
    await api('POST', `case/${id}/submit`)
    const { text } = await clerk.get(`/cases/${id}/do/close`)
    return [...text.matchAll(/<span class="lab"><label for="(\w+)">[^<]*<\/label>( <span class="req">)?/g)].map(
      ([, field, optional]) => `${field}${optional === undefined ? ' required' : ''}`,
    )
  }
  expect(await asked(true)).toEqual(['ground required', 'cause'])
  expect(await asked(false)).toEqual(['remark'])
})

test('whoever has a role in the sample data can sign in with it, in place of somebody made up', async () => {
  const chief = await web.browser('Zoe Zimmer')
  expect((await chief.json('GET', '/api/v1/secret')).status).toBe(200)
  expect((await chief.get('/visits')).text).toContain('id="filter-state"')
  expect(Object.keys(web.run.people)).toEqual(['Zoe Zimmer', 'Cleo'])
})

test('a step that many records refuse says of each of them why', async () => {
  const { id } = await api('POST', 'case', { title: 'With visits' })
  await api('POST', `case/${id}/submit`)
  for (const place of ['B', 'A']) await api('POST', 'visit', { of: id, place })
  const { status, errors } = await api('POST', `case/${id}/shut`)
  expect(status).toBe(422)
  expect(errors.map(({ detail }: { detail: string }) => detail)).toEqual([
    'The visit A is still planned.',
    'The visit B is still planned.',
  ])
})

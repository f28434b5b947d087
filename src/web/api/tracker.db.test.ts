/** A tracker of bugs: steps by any name, names without letters from a to z, which are called and guarded as any other, and several beginnings. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { demoPeople } from '../../headings/demo-people.ts'
import { appOf } from '../../kinds/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'

const page = `# Tracker

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /bugs | Ошибки | Разработчик, Начальник | list of Bug |
| /bugs/{number} | Ошибка | Разработчик, Начальник | one Bug |
| /bugs/new | Новая | Разработчик | form for Bug |

## 3 Entities and their fields

### Bug

| Field | Type | Rules |
| --- | --- | --- |
| number | auto number B-{000} | |
| title | text 40 | required |
| gone | integer | default 0 |
| urgent | yes/no | default no |
| area | Area | |
| reason | text 40 | required when state = Confirmed; only when state = Confirmed |
| trail | list of Bug step | |

### Area

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required; unique |
| trusted | yes/no | required; default no |

#### Sample data

| name | trusted |
| --- | --- |
| Shop | no |
| Core | yes |

### Bug step (part of Bug)

| Field | Type | Rules |
| --- | --- | --- |
| what | text 40 | required |
| skipped | yes/no | default no |

## 4 States and transitions

### Bug

| State | Kind |
| --- | --- |
| Hurried | start when urgent and count(trail) > 0 |
| Confirmed | start when area.trusted |
| Open | start |
| Trash | |
| Закрыта | end |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| delete | Open | Trash | Разработчик |
| change | Trash | Open | Разработчик |
| calm | Hurried, Confirmed | Open | Разработчик |
| закрыть | Open | Закрыта | Разработчик, Начальник |

| Approval | Of | Needs | From |
| --- | --- | --- | --- |
| согласие | закрыть | 1 of | Начальник |

| On | Of | Then |
| --- | --- | --- |
| delete | Bug | set gone = gone + 1 |

### Bug step

| State | Kind |
| --- | --- |
| To do | start |
| Left | start when skipped |

| Transition | From | To | Who |
| --- | --- | --- | --- |
| take up | Left | To do | Разработчик |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Bug on step delete | \`title != "Keep"\` | E-KEEP |
| V-2 | Bug on delete | \`state = Trash\` | E-TRASH |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Разработчик | appointed by Начальник |
| Начальник | appointed by Начальник |

### Bug

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Разработчик | yes | yes | yes | yes | delete, change, calm, закрыть |
| Начальник | yes | no | no | no | закрыть |

### Area

| Role | See |
| --- | --- |
| Разработчик | yes |

## 8 The error catalogue

| Code | Message | Status |
| --- | --- | --- |
| E-KEEP | Keep it. | 409 |
| E-TRASH | Put it into the trash first. | 409 |
`

let web: TestWeb
let developer: TestBrowser
let chief: TestBrowser

beforeAll(async () => {
  const app = appOf(page)
  web = await startTestWeb(inject('databaseUrl'), app)
  const named = (role: string) => demoPeople(app).find(({ roles }) => roles.join() === role)!.name
  developer = await web.browser(named('Разработчик'))
  chief = await web.browser(named('Начальник'))
})
afterAll(() => web?.stop())

const made = async (values: object) =>
  (await developer.json('POST', '/api/v1/bug', values)).headers.get('location') as string
const now = async (path: string): Promise<Record<string, unknown>> => JSON.parse((await developer.get(path)).text)
const post = async (who: TestBrowser, path: string, values: object = {}) => {
  const { status, text } = await who.json('POST', path, values)
  return status < 300 ? status : [status, JSON.parse(text).code]
}

test('a step named delete is another thing than deleting, in rights, rules, effects and addresses', async () => {
  const path = await made({ title: 'Crash' })
  const gone = async () => {
    const { status, text } = await developer.json('DELETE', path)
    return status < 300 ? status : [status, JSON.parse(text).code]
  }
  expect(await gone()).toEqual([409, 'E-TRASH'])
  expect(await post(chief, `${path}/step_delete`)).toEqual([403, 'NF-STEP-DENIED'])
  expect(await post(developer, `${path}/step_delete`)).toBe(200)
  expect(await now(path)).toMatchObject({ state: 'Trash', gone: 1 })
  expect(await post(developer, `${path}/step_change`)).toBe(200)
  expect(await now(path)).toMatchObject({ state: 'Open', gone: 1 })
  expect(await post(developer, `${await made({ title: 'Keep' })}/step_delete`)).toEqual([409, 'E-KEEP'])
  await post(developer, `${path}/step_delete`)
  expect(await gone()).toBe(204)
})

test('an approval, a step and roles in Cyrillic letters hold as others do', async () => {
  const path = await made({ title: 'Slow' })
  const step = web.run.runtime.app.workflows.get('bug')!.transitions.at(-1)!.key
  expect(step).toMatch(/^u[0-9a-f]{4}(?:_u[0-9a-f]{4})+$/)
  await post(developer, `${path}/${step}`)
  expect(await now(path)).toMatchObject({ state: 'Open' })
  expect(await post(chief, `${path}/${step}`)).toBe(200)
  expect(await now(path)).toMatchObject({ state: 'Закрыта' })
  const { status, text } = await developer.get(`/bugs/${(await now(path)).number}`)
  expect([status, text.includes('Закрыта')]).toEqual([200, true])
})

test('a record begins in the first state whose condition holds of it, else where all others do', async () => {
  const areas = await web.run.runtime.store.query<{ id: string; name: string }>(sql`select id, name from area`)
  const area = (name: string) => areas.find(one => one.name === name)!.id
  const begun = async (values: object) => {
    const { status, text } = await developer.json('POST', '/api/v1/bug', { title: 'Bug', ...values })
    const { state, errors } = JSON.parse(text)
    return status === 201 ? state : errors.map(({ code, pointer }: Record<string, string>) => [code, pointer])
  }
  const rows = [{ what: 'Look', skipped: true }, { what: 'Mend' }]
  expect(await begun({})).toBe('Open')
  expect(await begun({ urgent: true })).toBe('Open')
  expect(await begun({ urgent: true, trail: rows, area: area('Core') })).toBe('Hurried')
  expect(await begun({ area: area('Shop') })).toBe('Open')
  expect(await begun({ area: area('Core'), reason: 'Seen' })).toBe('Confirmed')
  // What holds only in the state in which it begins is asked of it there.
  expect(await begun({ area: area('Core') })).toEqual([['NF-REQUIRED', '/reason']])
  expect(await begun({ area: area('Shop'), reason: 'Seen' })).toEqual([['NF-ONLY-WHEN', '/reason']])
  // Nobody says the state themselves.
  expect(await begun({ state: 'Confirmed' })).not.toBe('Confirmed')
  const { trail } = await now(await made({ title: 'Rows', trail: rows }))
  expect((trail as { state: string }[]).map(({ state }) => state)).toEqual(['Left', 'To do'])
})

/** The same thing at the same moment: sent twice, taken twice, edited by two. Each gives what was not as it must be. */
import type { Response } from '../client.ts'
import type { Desk, Person, Server } from '../desk.ts'

/** Clients at once. */
const rivals = 24

const draftOf = ({ items }: Desk, purpose: string) => ({
  out_on: '2026-03-02',
  due_back: '2026-03-06',
  purpose,
  lines: [{ item: items['CA-0001'] }],
})

const atOnce = <Value>(times: number, ask: (index: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => ask(index)))

const tally = (responses: readonly Response[]): string =>
  [...Map.groupBy(responses, ({ status }) => status)].map(([status, all]) => `${all.length} x ${status}`).join(', ')

async function count({ sql }: Desk, text: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await sql.query<{ n: string }>(`select count(*) as n from ${text}`, [...values])
  return Number(rows[0]?.n)
}

/** Forms and API calls that come several times, with the same key: one loan each, and everybody gets the same answer. */
export async function duplicates(desk: Desk, server: Server, rounds: number): Promise<readonly string[]> {
  const wrong: string[] = []
  const ben = server.as(desk.people.Ben)
  const otto = server.as(desk.people.Otto)
  await ben.token()
  for (let round = 0; round < rounds; round++) {
    const mark = `round-${round}`
    const made = () => count(desk, 'public.loan where purpose = $1', [mark])
    const say = (what: string) => wrong.push(`${mark}: ${what}`)

    const key = { 'idempotency-key': `key-${mark}` }
    const answers = await atOnce(4, () => ben.api('POST', '/loan', draftOf(desk, mark), key))
    if (new Set(answers.map(({ status, text }) => `${status} ${text}`)).size !== 1) say(`API: ${tally(answers)}`)
    if ((await made()) !== 1) say(`API: ${await made()} loans`)
    const other = await ben.api('POST', '/loan', draftOf(desk, `${mark} other`), key)
    if (other.status !== 422) say(`the key with another body: ${other.status}`)
    const others = await otto.api('POST', '/loan', draftOf(desk, mark), key)
    if (others.status !== 201 || (await made()) !== 2) say(`somebody else's key: ${others.status}`)
    const later = await ben.api('POST', '/loan', draftOf(desk, mark), key)
    if (later.text !== answers[0]?.text || (await made()) !== 2) say(`later: ${later.status}`)

    const fields = {
      ...{ out_on: '2026-03-02', due_back: '2026-03-06', purpose: `form ${mark}` },
      'lines.0.item': desk.items['CA-0001'] ?? '',
      _once: `once-of-${mark}-0000`,
    }
    const forms = await atOnce(4, () => ben.post('/loans/new', fields))
    const byForm = await count(desk, 'public.loan where purpose = $1', [`form ${mark}`])
    if (new Set(forms.map(({ status, headers }) => `${status} ${headers.location}`)).size !== 1)
      say(`form: ${tally(forms)}`)
    if (forms[0]?.status !== 303 || byForm !== 1) say(`form: ${forms[0]?.status}, ${byForm} loans`)
    const changed = await ben.post('/loans/new', { ...fields, purpose: `form ${mark} other` })
    if (changed.status !== 409) say(`the form with other content: ${changed.status}`)

    // What was refused has used nothing up.
    const fresh = { 'idempotency-key': `fresh-${mark}` }
    const refused = await ben.api('POST', '/loan', { ...draftOf(desk, mark), due_back: '2026-01-01' }, fresh)
    const right = await ben.api('POST', '/loan', draftOf(desk, `${mark} right`), fresh)
    if (refused.status !== 422 || right.status !== 201) say(`put right: ${refused.status}, then ${right.status}`)
  }
  return wrong
}

/** Everybody takes the same step of the same loan: it is taken once, told once, and remembered once. */
export async function steps(desk: Desk, server: Server, rounds: number): Promise<readonly string[]> {
  const wrong: string[] = []
  const clients = [desk.people.Cleo, desk.people.Dan].map(person => server.as(person))
  for (let round = 0; round < rounds; round++) {
    const loan = await requested(desk, server, desk.people.Ben)
    for (const [step, state] of [
      ['approve', 'Approved'],
      ['hand_out', 'Out'],
      ['take_back', 'Returned'],
    ]) {
      const answers = await atOnce(rivals, index => clients[index % 2]!.api('POST', `/loan/${loan}/${step}`))
      const taken = answers.filter(({ status }) => status === 200).length
      const told = await count(desk, 'ninefold.history where record = $1 and what = $2', [loan, step])
      const { rows } = await desk.sql.query<{ state: string }>('select state from public.loan where id = $1', [loan])
      const isRight = taken === 1 && told === 1 && rows[0]?.state === state
      if (!isRight || answers.some(({ status }) => status !== 200 && status !== 409))
        wrong.push(`${step}: ${tally(answers)}; told ${told} times; ${rows[0]?.state}`)
    }
    const calls = await count(desk, `ninefold.outbox where record = $1 and kind = 'call'`, [loan])
    if (calls !== 1) wrong.push(`${calls} calls`)
  }
  return wrong
}

async function requested(desk: Desk, server: Server, person: Person): Promise<string> {
  const client = server.as(person)
  const { id } = JSON.parse((await client.api('POST', '/loan', draftOf(desk, 'step'))).text) as { id: string }
  await client.api('POST', `/loan/${id}/submit`)
  return id
}

/** Everybody saves what they made of the same version: the first is kept, the others are told; nothing is written over. */
export async function edits(desk: Desk, server: Server, rounds: number): Promise<readonly string[]> {
  const wrong: string[] = []
  const ben = server.as(desk.people.Ben)
  await ben.token()
  for (let round = 0; round < rounds; round++) {
    const made = await ben.api('POST', '/loan', draftOf(desk, 'edit'))
    const { id, number } = JSON.parse(made.text) as { id: string; number: string }
    const purpose = async () =>
      (await desk.sql.query<{ purpose: string }>('select purpose from public.loan where id = $1', [id])).rows[0]
        ?.purpose

    const answers = await atOnce(rivals, index =>
      ben.api('PATCH', `/loan/${id}`, { purpose: `by ${index}` }, { 'if-match': '"1"' }),
    )
    const first = answers.findIndex(({ status }) => status === 200)
    if (tally(answers.toSorted((a, b) => a.status - b.status)) !== `1 x 200, ${rivals - 1} x 412`)
      wrong.push(`API: ${tally(answers)}`)
    if ((await purpose()) !== `by ${first}`) wrong.push(`API: ${await purpose()} and not by ${first}`)

    const pages = await atOnce(rivals, index =>
      ben.post(`/loans/${number}/edit`, { purpose: `form ${index}`, _version: '2' }),
    )
    const saved = pages.findIndex(({ status }) => status === 303)
    if (tally(pages.toSorted((a, b) => a.status - b.status)) !== `1 x 303, ${rivals - 1} x 409`)
      wrong.push(`form: ${tally(pages)}`)
    if ((await purpose()) !== `form ${saved}`) wrong.push(`form: ${await purpose()} and not form ${saved}`)
    // The page that tells of it has both: what is there now, and what was typed.
    const lost = pages.findIndex(({ status, text }, index) => {
      const both = text.includes(`form ${saved}`) && text.includes(`form ${index}`)
      return status === 409 && !both
    })
    if (lost !== -1) wrong.push(`form: the page of ${lost} does not show both`)

    // Different fields at once, without a version: all of them are there afterwards.
    await Promise.all([
      ben.api('PATCH', `/loan/${id}`, { purpose: 'mine' }),
      ben.api('PATCH', `/loan/${id}`, { due_back: '2026-03-11' }),
      ben.api('PATCH', `/loan/${id}`, { lines: [{ item: desk.items['LA-0007'] }] }),
    ])
    const { text } = await ben.api('GET', `/loan/${id}`)
    const after = JSON.parse(text) as { purpose: string; due_back: string; lines: { item: string }[] }
    if (after.purpose !== 'mine' || after.due_back !== '2026-03-11' || after.lines[0]?.item !== desk.items['LA-0007'])
      wrong.push(`fields were written over: ${text}`)
  }
  return wrong
}

/** New records at once have numbers of their own. */
export async function numbers(desk: Desk, server: Server): Promise<readonly string[]> {
  const people = [desk.people.Ben, desk.people.Otto, desk.people.Anna, desk.people.Cleo].map(person =>
    server.as(person),
  )
  const answers = await atOnce(rivals * 2, index => people[index % 4]!.api('POST', '/loan', draftOf(desk, 'number')))
  const given = answers.map(({ text }) => (JSON.parse(text) as { number: string }).number)
  const isRight = tally(answers) === `${rivals * 2} x 201` && new Set(given).size === rivals * 2
  return isRight ? [] : [`${tally(answers)}: ${given.sort().join(' ')}`]
}

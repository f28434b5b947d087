/** Tries everything, in every situation, and compares with the oracle: the answer, and what the database says happened. */
import type { Client, Response } from '../client.ts'
import { type Desk, hashOfAll, type Server } from '../desk.ts'
import { answerOf, type Door } from './doors.ts'
import * as oracle from './oracle.ts'
import { arrange, fieldTries, loan, situations } from './situations.ts'

export interface Tried {
  readonly tried: number
  readonly done: number
  readonly disagreements: readonly string[]
}

interface Try {
  readonly what: string
  readonly expected: oracle.Answer
  readonly ask: () => Promise<Response>
  /** Condition over the loan `l` that holds once it is done; null: the loan is gone. */
  readonly taken: string | null
}

/** `of`: only this person's situations. `isEnough`: nothing has to be tried any more. */
export async function tryAll(
  desk: Desk,
  server: Server,
  door: Door,
  of?: oracle.Who,
  isEnough = (disagreements: readonly string[]) => disagreements.length >= 5,
): Promise<Tried> {
  const found = { tried: 0, done: 0, disagreements: [] as string[] }
  for (const situation of situations()) {
    if (of !== undefined && situation.who !== of) continue
    if (isEnough(found.disagreements)) break
    const client = situation.who === 'visitor' ? server.visitor : server.as(desk.people[situation.who])
    await arrange(desk, situation)
    let hash = await hashOfAll(desk.sql)
    for (const one of [...looks(door, client, situation), ...triesOf(desk, door, client, situation)]) {
      const answer = answerOf(await one.ask())
      const after = await hashOfAll(desk.sql)
      const isDone = answer === 'done' && one.taken !== 'true'
      const wrong = [
        answer === one.expected ? null : `is ${answer} and not ${one.expected}`,
        isDone || after === hash ? null : 'was not done, and changed the database',
        isDone && !(await holds(desk, one.taken)) ? 'was answered as done, and the loan is not as it says' : null,
      ].filter(text => text !== null)
      found.tried++
      if (isDone) found.done++
      if (wrong.length > 0) found.disagreements.push(`${say(situation)}: ${one.what} ${wrong.join('; ')}`)
      if (after === hash) continue
      await arrange(desk, situation)
      hash = await hashOfAll(desk.sql)
    }
  }
  return found
}

/** Seeing changes nothing: `taken` is true from the start. */
function looks(door: Door, client: Client, situation: oracle.Situation): readonly Try[] {
  const expected = oracle.sees(situation) ? 'done' : 'absent'
  const has = (response: Response, text: RegExp) => text.test(response.text)
  const agreeing = async (response: Promise<Response>, right: (response: Response) => boolean) => {
    const found = await response
    return answerOf(found) !== 'done' || right(found) ? found : { ...found, status: 0 }
  }
  const total = door.name === 'API' ? /"total_value"/ : /Total value/
  const listed = door.name === 'API' ? `/api/v1/loan?number=${loan.number}` : `/loans?number=${loan.number}`
  const row = new RegExp(door.name === 'API' ? loan.id : `/loans/${loan.number}`)
  const seesList = situation.who === 'visitor' ? 'absent' : 'done'
  return [
    { what: 'see', expected, ask: () => door.show(client), taken: 'true' },
    {
      what: 'see total_value, and not register_ref',
      expected,
      ask: () =>
        agreeing(
          door.show(client),
          found => has(found, total) === oracle.seesTotal(situation) && !has(found, /register.ref/i),
        ),
      taken: 'true',
    },
    {
      what: 'see it in the list',
      expected: seesList,
      // The address stands in the page as the filter that it is; a link to the record does not.
      ask: () => agreeing(client.get(listed), found => has(found, row) === oracle.sees(situation)),
      taken: 'true',
    },
  ]
}

function triesOf(desk: Desk, door: Door, client: Client, situation: oracle.Situation): readonly Try[] {
  return [
    ...fieldTries(desk).map(({ field, value, taken }) => ({
      what: `change ${field}`,
      expected: oracle.change(field, situation),
      ask: () => door.change(client, field, value),
      taken,
    })),
    { what: 'delete', expected: oracle.remove(situation), ask: () => door.remove(client), taken: null },
    ...[...Object.keys(oracle.steps), 'fly', '__proto__'].map(step => ({
      what: `take the step ${step}`,
      expected: oracle.takeStep(step, situation),
      ask: () => door.step(client, step),
      taken: `l.state = '${oracle.steps[step]?.to}'`,
    })),
  ]
}

async function holds({ sql }: Desk, taken: string | null): Promise<boolean> {
  const { rows } = await sql.query<{ held: boolean }>(
    `select (${taken ?? 'true'}) as held from public.loan as l where id = '${loan.id}'`,
  )
  return taken === null ? rows.length === 0 : rows[0]?.held === true
}

function say({ who, own, state, future, damaged, dear }: oracle.Situation): string {
  const more = [future && 'to be handed out later', damaged && 'damaged', dear && 'dear'].filter(text => text !== false)
  return [`${who}, ${own ? 'own' : "another's"} loan, ${state}`, ...more].join(', ')
}

/** New loans with one field more than a loan needs. */
export async function tryCreating(desk: Desk, server: Server, door: Door): Promise<Tried> {
  const found = { tried: 0, done: 0, disagreements: [] as string[] }
  const lines = [{ item: desk.items['CA-0001'] }]
  const base = { out_on: '2026-03-02', due_back: '2026-03-06', lines }
  const ids = 'select id from public.loan'
  for (const who of oracle.whos)
    for (const { field, value } of [{ field: 'due_back', value: base.due_back }, ...fieldTries(desk)]) {
      const [list, inner] = field.split('.')
      // Rows that are there already are other records' rows here.
      const rows =
        inner === undefined ? value : [{ ...lines[0], [inner]: (value as Record<string, unknown>[])[0]?.[inner] }]
      const client = who === 'visitor' ? server.visitor : server.as(desk.people[who])
      await desk.sql.query('delete from public.loan_line')
      await desk.sql.query('delete from public.loan')
      const hash = await hashOfAll(desk.sql)
      const response = await door.create(client, { ...base, [list!]: rows })
      const answer = answerOf(response)
      const expected = oracle.create(field, who)
      const isMade = (await desk.sql.query(ids)).rows.length === 1
      found.tried++
      if (isMade) found.done++
      if (answer !== expected || isMade !== (expected === 'done') || (!isMade && (await hashOfAll(desk.sql)) !== hash))
        found.disagreements.push(`${who}: create with ${field} is ${answer} and not ${expected}; made: ${isMade}`)
    }
  return found
}

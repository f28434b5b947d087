/**
 * What pages do: a step and a change of many records, of which here is one, a row of a file that names a record by its key, one cell of a list,
 * and the pages on which a step is taken or a record deleted. What came of each is judged like what came of the API; of many it is a job that is
 * tried first and then written, as whoever begins it.
 */
import type { Field } from '../headings/3-entities/model.ts'
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { bulkHref, fieldIn, importHref, routeHref } from '../web/routes.ts'
import { opensRecord, opensScreen } from './audience.ts'
import { ask, isOk, type Player, type Reply, type Site } from './client.ts'
import { formWith, typedIn } from './forms.ts'
import * as oracle from './oracle/rights.ts'
import { openPage } from './page.ts'
import { reach } from './reach.ts'
import { type Case, doorOf, type Subject, type Trial } from './trial.ts'
import { refusedAnyhow, type Try } from './tries.ts'
import type { JobLine } from './world.ts'

/** Looks whether a job has come to its end, and how often. */
const looksAtMost = 2000

/** Nothing was begun: there is no such page for them, or nothing that they see was chosen. */
const refused: Reply = { status: 404, body: {}, codes: [] }

/** Somebody's job, from the form that begins it to what became of its one row. `form`: of the page that tells columns apart, filled in. */
export async function worked(
  site: Site,
  player: Player,
  path: string,
  sent: Readonly<Record<string, string>>,
  file: string | null = null,
): Promise<Reply> {
  const token = await tokenOf(site, player)
  const body = file === null ? new URLSearchParams(sent) : new FormData()
  body.set('_csrf', token)
  if (body instanceof FormData) body.append('file', new Blob([file!]), 'rows.csv')
  const job = await posted(site, player, path, body)
  if (job?.startsWith('/-/job?') !== true) return refused
  const id = new URL(job, site.url).searchParams.get('id')!
  const columns = file === null ? null : await openPage(site, player, job)
  const form = columns?.kind === 'shown' ? formWith(columns.html, 'c0') : null
  if (form !== null) await posted(site, player, job, filledIn(form, { ...sent, do: 'check' }))
  await ended(site, player, job)
  await posted(site, player, job, new URLSearchParams({ _csrf: token, do: 'apply' }))
  await ended(site, player, job)
  site.observatory.forget()
  const [line] = await site.observatory.job(id)
  return line === undefined ? refused : replyOf(line)
}

/** By the cookie that goes with it: all forms of a session take it. */
const tokens = new Map<string, string>()

export async function tokenOf(site: Site, player: Player): Promise<string> {
  const { cookie = '' } = await site.headersFor(player)
  const known = tokens.get(cookie)
  if (known !== undefined) return known
  const page = await openPage(site, player, '/-/account')
  const token = page.kind === 'shown' ? (formWith(page.html, '_csrf')?.get('_csrf') ?? '') : ''
  tokens.set(cookie, token)
  return token
}

const filledIn = (form: URLSearchParams, values: Readonly<Record<string, string>>): URLSearchParams => {
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  return form
}

/** Where it leads; null: nowhere. */
export async function posted(site: Site, player: Player, path: string, body: URLSearchParams | FormData) {
  const headers = { ...(await site.headersFor(player)), origin: site.url }
  const response = await reach(new URL(path, site.url), { method: 'POST', headers, body, redirect: 'manual' })
  return response.status === 303 ? response.headers.get('location') : null
}

/** One cell of a list, by the control that stands in it while it is changed. */
async function changedInCell(
  site: Site,
  player: Player,
  address: string,
  field: string,
  value: string,
): Promise<Reply> {
  const url = `${site.url}/-/cell?${new URLSearchParams({ of: `${address}/edit`, field })}`
  const headers = { ...(await site.headersFor(player)), origin: site.url }
  const given = await reach(url, { headers, redirect: 'manual' })
  const control = formWith(given.text, field) ?? new URLSearchParams()
  const body = filledIn(control, { [field]: value, _csrf: await tokenOf(site, player) })
  const { status } = await reach(url, { method: 'POST', headers, body, redirect: 'manual' })
  site.observatory.forget()
  return { status, body: {}, codes: [] }
}

/** A form with one button: a step, or to delete. What it asks for is typed. */
async function pressed(
  site: Site,
  player: Player,
  path: string,
  typed: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const page = await openPage(site, player, path)
  const form = (page.kind === 'shown' ? formWith(page.html, '_csrf') : null) ?? new URLSearchParams()
  const body = filledIn(form, { ...typed, _csrf: await tokenOf(site, player) })
  const headers = { ...(await site.headersFor(player)), origin: site.url }
  const response = await reach(new URL(path, site.url), { method: 'POST', headers, body, redirect: 'manual' })
  site.observatory.forget()
  return { status: response.status === 303 ? 200 : response.status, body: {}, codes: [] }
}

async function ended(site: Site, player: Player, job: string): Promise<void> {
  for (let looks = 0; looks < looksAtMost; looks++) {
    const page = await openPage(site, player, job)
    if (page.kind !== 'shown' || !page.html.includes('data-under-way')) return
  }
}

/** A row that says nothing new was not written: no column of it is theirs to write. */
function replyOf({ state, did, codes }: JobLine): Reply {
  if (state === 'done' && did !== 'same') return { status: 200, body: {}, codes }
  const isDenied = did === 'same' || codes.some(code => /-DENIED$|^NF-NOT-FOUND$/.test(code))
  return { status: isDenied ? 403 : 422, body: {}, codes }
}

/** What is refused there, though the API takes the same, is refused by the door itself; else the API tells it better. */
async function asByApi(one: Reply, other: () => Promise<Reply>): Promise<Reply> {
  if (isOk(one) || one.status === 403 || one.status === 404) return one
  const reply = await other()
  return isOk(reply) ? { ...one, status: 403, body: { detail: 'the API takes the same' } } : reply
}

interface Asking {
  readonly trial: Trial
  readonly known: Case
  readonly subject: Subject
  readonly player: Player
  readonly where: string
}

/** A step, and the change of a text by the list and by a file, each once for somebody who may and once for somebody who may not. `tried`: what was. */
export function manyTries(asking: Asking, tried: Set<string>): readonly Try[] {
  const { known, trial } = asking
  // What is chosen is chosen on a screen of theirs.
  const isListed = trial.site.app.screens.some(
    screen => specified(screen.shows)?.entity === known.entity && opensScreen(known, screen) !== false,
  )
  return (isListed ? [...stepTries(asking), ...changeTries(asking), ...removalTries(asking)] : []).filter(one => {
    const key = `${one.tally.title} ${one.expected}`
    if (tried.has(key)) return false
    tried.add(key)
    return true
  })
}

function stepTries({ trial, known, subject, player, where }: Asking): readonly Try[] {
  const { site, entity } = trial
  const texts = new Set(typedIn(entity))
  const steps = Map.groupBy(site.app.workflows.get(entity.key)?.transitions ?? [], ({ key }) => key)
  return [...steps].flatMap(([step, rows]): readonly Try[] => {
    const asked = [...new Set(rows.flatMap(({ asks }) => asks.map(({ field }) => field)))]
    const expected = oracle.takes(known, step)
    if (expected === null || asked.some(key => !texts.has(key)) || !oracle.sees(known)) return []
    const given = Object.fromEntries(asked.map(key => [key, 'One']))
    const address = addressOf(known)
    const byApi = () =>
      ask(site, player, 'POST', `${entity.key}/${subject.id}/${step}`, asked.length === 0 ? undefined : given)
    const taking = (name: string, how: string, work: () => Promise<Reply>): Try => ({
      tally: doorOf(trial, name),
      player,
      what: `${where}: ${step}, ${how}`,
      does: step,
      expected,
      cells: [],
      deed: { kind: 'step', step },
      codes: rows.flatMap(({ error }) => specified(error) ?? []),
      ask: async () => await asByApi(await work(), byApi),
    })
    const many = taking('a step for many is taken as it is for one', 'as one of many', () =>
      worked(site, player, bulkHref(entity.key, step), { ...given, _asked: 'yes', id: subject.id }),
    )
    const page = taking('a step is taken on its page', 'on its page', () =>
      pressed(site, player, `${address}/do/${step}`, given),
    )
    return address === null ? [many] : [many, page]
  })
}

function changeTries({ trial, known, subject, player, where }: Asking): readonly Try[] {
  const { site, entity } = trial
  const [name] = typedIn(entity)
  const field = entity.fields.find(({ key }) => key === name)
  if (field === undefined || !oracle.sees(known)) return []
  const may = oracle.changes(known) && oracle.setsField(known, field)
  const value = known.record[field.key] === 'One' ? 'Two' : 'One'
  const byApi = () => ask(site, player, 'PATCH', `${entity.key}/${subject.id}`, { [field.key]: value })
  const change = (name: string, does: string, expected: boolean, work: () => Promise<Reply>): Try => ({
    tally: doorOf(trial, name),
    player,
    what: `${where}: ${does}`,
    does,
    expected,
    cells: [],
    deed: { kind: 'change', sent: { [field.key]: value } },
    ask: async () => {
      const reply = await asByApi(await work(), byApi)
      return expected ? reply : refusedAnyhow(reply)
    },
  })
  const edit = change('a change of many is one of each', 'change, as one of many', may, () =>
    worked(site, player, bulkHref(entity.key), {
      _field: field.key,
      _asked: 'yes',
      [field.key]: value,
      id: subject.id,
    }),
  )
  const address = addressOf(known)
  const cell = change('a cell of a list is changed by whoever may', 'change, in its cell', may, () =>
    changedInCell(site, player, address!, field.key, value),
  )
  const own = address === null ? [edit] : [edit, cell]
  const key = keyOf(known, entity.fields)
  if (key === undefined) return own
  const brings = oracle.mayAtAll(known, 'Import')
  const file = `${key.key},${field.key}\n"${String(known.record[key.key])}","${value}"\n`
  const read = { c0: key.key, c1: field.key, key: key.key }
  return [
    ...own,
    change('a row of a file changes what its key names', 'change, by a file', may && brings, () =>
      worked(site, player, importHref(entity.key), read, file),
    ),
  ]
}

/** What cannot be made again is not taken away. */
function removalTries({ trial, known, subject, player, where }: Asking): readonly Try[] {
  const address = addressOf(known)
  const may = oracle.deletes(known)
  if (address === null || (may && subject.again === null)) return []
  return [
    {
      tally: doorOf(trial, 'it is deleted on its page by whoever may'),
      player,
      what: `${where}: delete, on its page`,
      does: 'delete',
      expected: may,
      cells: [],
      deed: { kind: 'delete' },
      ask: async () =>
        await asByApi(await pressed(trial.site, player, `${address}/delete`), () =>
          ask(trial.site, player, 'DELETE', `${trial.entity.key}/${subject.id}`),
        ),
    },
  ]
}

/** Where a page shows it to them; null: none does. */
function addressOf(known: Case): string | null {
  for (const screen of known.app.screens) {
    const route = specified(screen.route)
    const field = route === null ? null : fieldIn(route)
    if (field === null || !kindOf(screen)?.isRecordPage || specified(screen.shows)?.entity !== known.entity) continue
    const value = known.record[field]
    if (value != null && opensRecord(known, screen, field)) return routeHref(route!, String(value))
  }
  return null
}

/** A text that tells this record from all others, as far as they see it. */
const keyOf = (known: Case, fields: readonly Field[]): Field | undefined =>
  fields.find(
    one =>
      one.type.kind === 'text' &&
      (one.parameters.picture !== undefined || (one.unique?.within.length === 0 && one.unique.while === null)) &&
      /^[\w./-]+$/.test(String(known.record[one.key] ?? '')) &&
      oracle.seesField(known, one),
  )

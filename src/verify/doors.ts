/**
 * Ways in beside plain reads and writes, each tried with one record of an entity: an outdated version, a request that is repeated, comments,
 * filters, the search, a form without its token, and the files of lists.
 */
import type { RecordValue } from '../expression/type.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import type { Field } from '../headings/3-entities/model.ts'
import { searchedFields } from '../headings/3-entities/searched.ts'
import { specified } from '../headings/specified.ts'
import { isArchived } from '../run/access/archived.ts'
import { fieldIn } from '../web/routes.ts'
import { ask, isOk, type Player, type Reply, type Site, sendFile, verdictOf } from './client.ts'
import { isAsked } from './drafts.ts'
import { distinct } from './edges.ts'
import { tryFeed } from './feed.ts'
import { fileOf, refusedFiles, type SampleFile } from './files.ts'
import { tryForm, tryNewForm } from './forms.ts'
import { tryNewRow } from './imports.ts'
import { optionsApart, tryNarrowing } from './narrowing.ts'
import { tryNews } from './news.ts'
import * as oracle from './oracle/rights.ts'
import { openPage, plainText } from './page.ts'
import { reach } from './reach.ts'
import { addressesOf } from './shown.ts'
import type { Accepted } from './subjects.ts'
import { type Case, caseOf, doorOf, isTold, type Subject, type Trial, tallyOf } from './trial.ts'
import { visitor } from './world.ts'

export async function tryDoors(trial: Trial, subject: Subject, { player, values }: Accepted): Promise<void> {
  const known = await caseOf(trial, subject, player)
  if (known === null) return
  await tryOutdated(trial, { player, values })
  await tryRepeat(trial, player, values)
  await tryNewFiles(trial, { player, values })
  const apart = await optionsApart(trial, { player, values })
  await tryFound(trial, subject, player)
  if (trial.entity.appendOnly === null)
    for (const id of apart) await trial.site.observatory.remove(trial.entity.key, id)
  await tryForm(trial, subject, player)
  await tryNewForm(trial, player, await distinct(trial.site, player, trial.entity, values, ''))
  await tryNewRow(trial, player, await distinct(trial.site, player, trial.entity, values, ''))
  await tryFeed(trial, subject, player)
  await tryNews(trial, { player, values })
}

/** What is read of a record, whoever made it. */
export async function tryFound(trial: Trial, subject: Subject, player: Player): Promise<void> {
  await tryComments(trial, subject)
  await tryNotices(trial, subject)
  await tryFiles(trial, subject)
  await tryFindAnything(trial, subject)
  const known = await caseOf(trial, subject, player)
  if (known !== null && oracle.sees(known)) await tryFinding(trial, known, subject, player)
  await tryNarrowing(trial, subject, player)
}

/** The same site, asked with one more header. */
const saying = (site: Site, name: string, value: string): Site => ({
  ...site,
  headersFor: async player => ({ ...(await site.headersFor(player)), [name]: value }),
})

/** Whoever saw another version of a record changes nothing, deletes nothing and takes no step. */
async function tryOutdated(trial: Trial, { player, values }: Accepted): Promise<void> {
  const { site, entity } = trial
  const made = await ask(site, player, 'POST', entity.key, await distinct(site, player, entity, values, ''))
  const id = String(made.body.id)
  const known = isOk(made) ? await caseOf(trial, { id }, player) : null
  if (known === null) return
  const outdated = saying(site, 'if-match', '"2147483647"')
  const path = `${entity.key}/${id}`
  const field = entity.fields.find(one => one.type.kind === 'text' && oracle.setsField(known, one))
  const steps = new Set(site.app.workflows.get(entity.key)?.transitions.map(({ key }) => key))
  const requests = [
    ...(field !== undefined && oracle.changes(known)
      ? [['PATCH', path, { [field.key]: known.record[field.key] }] as const]
      : []),
    ...[...steps].filter(step => oracle.takes(known, step) === true).map(step => ['POST', `${path}/${step}`] as const),
    ...(oracle.deletes(known) ? [['DELETE', path] as const] : []),
  ]
  const tally = doorOf(trial, 'an outdated version changes nothing')
  for (const [method, where, body] of requests) {
    const reply = await ask(outdated, player, method, where, body)
    tally.tried++
    if (reply.status !== 412)
      tally.wrong.push(`${player.name}, ${method} ${where}: the application says ${verdictOf(reply)}, and not 412`)
  }
  if (entity.appendOnly === null) await site.observatory.remove(entity.key, id)
}

let keys = 0

/** Of so many it is looked whether two people see one. */
const recordsAtMost = 12

/** The same request with the same key makes one record. */
async function tryRepeat(trial: Trial, player: Player, values: Accepted['values']): Promise<void> {
  const { site, entity } = trial
  const once = saying(site, 'idempotency-key', `verify-${process.pid}-${++keys}`)
  const first = await ask(once, player, 'POST', entity.key, values)
  if (!isOk(first)) return
  const second = await ask(once, player, 'POST', entity.key, values)
  const tally = doorOf(trial, 'a repeated request makes one record')
  tally.tried++
  tally.through++
  if (second.body.id !== first.body.id)
    tally.wrong.push(
      `${player.name}: repeated with its key, the application says ${verdictOf(second)} and gives another record`,
    )
  if (entity.appendOnly === null)
    for (const id of new Set([first, second].filter(isOk).map(({ body }) => String(body.id))))
      await site.observatory.remove(entity.key, id)
}

/** Nobody reads the comments on what they do not see. */
async function tryComments(trial: Trial, subject: Subject): Promise<void> {
  const { site, entity } = trial
  for (const player of site.players) {
    const known = await caseOf(trial, subject, player)
    if (known === null || oracle.sees(known)) continue
    const reply = await ask(site, player, 'GET', `${entity.key}/${subject.id}/comments`)
    const tally = doorOf(trial, 'comments are read by whoever sees the record')
    tally.tried++
    if (isOk(reply)) tally.wrong.push(`${player.name}, ${subject.by}: the application shows its comments`)
  }
}

/** Who has commented on a record follows it, and is told of what others say about it: on the first that two of them see. */
async function tryNotices(trial: Trial, subject: Subject): Promise<void> {
  const { site, entity } = trial
  const records = (await site.observatory.world(visitor)).records(entity.key).filter(one => !isArchived(one))
  const ids = [subject.id, ...records.slice(0, recordsAtMost).map(({ id }) => String(id))]
  for (const id of ids) {
    const readers: Player[] = []
    for (const player of site.players) {
      const known = await caseOf(trial, { id }, player)
      if (known !== null && oracle.sees(known)) readers.push(player)
    }
    if (readers.length < 2) continue
    await tryTalk(trial, id, readers)
    return
  }
}

async function tryTalk(trial: Trial, id: string, readers: readonly Player[]): Promise<void> {
  const { site, entity } = trial
  const talking: { readonly player: Player; readonly text: string }[] = []
  for (const player of readers) {
    const text = `Said ${++keys} times.`
    if (talking.length < 2 && isOk(await ask(site, player, 'POST', `${entity.key}/${id}/comments`, { text })))
      talking.push({ player, text })
  }
  const [first, second] = talking
  if (first === undefined || second === undefined) return
  const tally = doorOf(trial, 'whoever follows it is told of comments')
  const page = await openPage(site, first.player, '/-/notices')
  tally.tried++
  if (page.kind === 'shown' && plainText(page.html).includes(second.text)) tally.through++
  else tally.wrong.push(`${first.player.name}: what ${second.player.name} said is not among the notices`)
}

/** Somebody who may gives the record a file, where it has none. */
async function givenFile(trial: Trial, subject: Subject, field: Field): Promise<void> {
  const { site, entity } = trial
  for (const player of site.players) {
    const known = await caseOf(trial, subject, player)
    const file = fileOf(field.types?.names ?? null)
    if (known === null || known.record[field.key] != null || file === null) return
    if (!oracle.changes(known) || !oracle.setsField(known, field)) continue
    const sent = await sendFile(site, player, file)
    if (isOk(sent)) await ask(site, player, 'PATCH', `${entity.key}/${subject.id}`, { [field.key]: sent.body })
  }
}

/** Files of another kind, and larger ones, are not taken. */
async function tryRefusedFiles(trial: Trial, subject: Subject, field: Field): Promise<void> {
  const { site, entity } = trial
  for (const player of site.players) {
    const known = await caseOf(trial, subject, player)
    if (known === null || !oracle.changes(known) || !oracle.setsField(known, field)) continue
    for (const file of refusedFiles(field.types?.names ?? null, field.most?.bytes ?? null)) {
      const sent = await sendFile(site, player, file)
      const reply = isOk(sent)
        ? await ask(site, player, 'PATCH', `${entity.key}/${subject.id}`, { [field.key]: sent.body })
        : sent
      const tally = doorOf(trial, 'files that its fields do not take are refused')
      tally.tried++
      site.judged.add(
        file.content.length > (field.most?.bytes ?? Number.POSITIVE_INFINITY) ? field.most?.cell : field.types?.cell,
      )
      if (isOk(reply))
        tally.wrong.push(
          `${player.name}, ${field.key}: the application takes ${file.name} of ${file.content.length} bytes`,
        )
    }
    return
  }
}

/** A new record takes a file of the kind of its field, and no other. */
async function tryNewFiles(trial: Trial, { player, values }: Accepted): Promise<void> {
  const { site, entity } = trial
  for (const field of entity.fields.filter(one => one.type.kind === 'file' && isAsked(one))) {
    const [types, most] = [field.types?.names ?? null, field.most?.bytes ?? null]
    const own = fileOf(types)
    const makes = async (file: SampleFile) => {
      const sent = await sendFile(site, player, file)
      const one = await distinct(site, player, entity, { ...values, [field.key]: sent.body }, '')
      const reply = isOk(sent) ? await ask(site, player, 'POST', entity.key, one) : sent
      const made = isOk(reply) ? (await site.observatory.world(player)).record(entity.key, String(reply.body.id)) : null
      if (isOk(reply) && entity.appendOnly === null) await site.observatory.remove(entity.key, String(reply.body.id))
      return { reply, held: made?.[field.key] ?? null }
    }
    // A rule may be against any file at all.
    const taken = own === null ? null : await makes(own)
    if (taken === null || !isOk(taken.reply)) continue
    const tally = doorOf(trial, 'files that its fields do not take are refused')
    tally.tried++
    tally.through++
    site.judged.add(field.typeCell)
    if (taken.held === null) tally.wrong.push(`${player.name}, ${field.key}: ${own!.name} is not kept`)
    for (const file of refusedFiles(types, most)) {
      tally.tried++
      site.judged.add(file.content.length > (most ?? Number.POSITIVE_INFINITY) ? field.most?.cell : field.types?.cell)
      if (isOk((await makes(file)).reply))
        tally.wrong.push(
          `${player.name}, ${field.key}: a new record takes ${file.name} of ${file.content.length} bytes`,
        )
    }
  }
}

/** The content of a file is for whoever sees its field. */
async function tryFiles(trial: Trial, subject: Subject): Promise<void> {
  const { site, entity } = trial
  for (const field of entity.fields.filter(({ type }) => type.kind === 'file')) {
    await tryRefusedFiles(trial, subject, field)
    await givenFile(trial, subject, field)
    for (const player of site.players) {
      const known = await caseOf(trial, subject, player)
      if (known === null || typeof known.record[field.key] !== 'string') continue
      const headers = await site.headersFor(player)
      const address = `${site.url}/-/files/${entity.key}/${subject.id}/${field.key}`
      const { status } = await reach(address, { headers, redirect: 'manual' })
      const may = oracle.sees(known) && oracle.seesField(known, field)
      const tally = doorOf(trial, 'files are opened by whoever sees their field')
      tally.tried++
      if (status === 200) tally.through++
      if ((status === 200) !== may)
        tally.wrong.push(
          `${player.name}, ${field.key}: the application says ${status}, the document ${may ? 'shows' : 'hides'} it`,
        )
    }
  }
}

/** Find anything leads nobody to what they do not see. */
async function tryFindAnything(trial: Trial, subject: Subject): Promise<void> {
  const { site, entity } = trial
  const addresses = await addressesOf(site, entity, subject.id)
  for (const player of site.players) {
    const known = await caseOf(trial, subject, player)
    if (known === null || oracle.sees(known) || addresses.length === 0) continue
    const own = searchedFields(entity)
      .flatMap(({ key }) => wordsIn(known.record[key]))
      .slice(0, 1)
    for (const word of [...own, ...namesIn(known)]) {
      const { text } = await reach(`${site.url}/-/search.json?${new URLSearchParams({ q: word })}`, {
        headers: await site.headersFor(player),
      })
      const tally = doorOf(trial, 'nobody is led to what they do not see')
      tally.tried++
      if (addresses.some(address => text.includes(`"${address}"`)))
        tally.wrong.push(`${player.name}, looking for ${word}: the application leads to it, the document hides it`)
    }
  }
}

/** What the records are called that it refers to. */
const namesIn = ({ app, world, entity, record }: Case): readonly string[] => [
  ...new Set(
    app.entities.get(entity)!.fields.flatMap(({ key, type }) => {
      const named = type.kind === 'reference' ? world.record(type.entity, String(record[key])) : undefined
      const title = type.kind === 'reference' ? named?.[app.entities.get(type.entity)!.title[0] ?? ''] : null
      return typeof title === 'string' ? [title] : []
    }),
  ),
]

const rowsOf = ({ body }: Reply) => (body.data ?? []) as readonly { readonly id: string }[]

/** Filters and the search of its list find it by what it says, and not by what it does not say. */
async function tryFinding(trial: Trial, known: Case, subject: Subject, player: Player): Promise<void> {
  const { site, entity } = trial
  const find = async (query: Readonly<Record<string, string>>) =>
    await ask(site, player, 'GET', `${entity.key}?${new URLSearchParams(query)}`)
  const tally = doorOf(trial, 'its list finds what is looked for')
  const check = (what: string, reply: Reply, wanted: boolean, id = subject.id) => {
    tally.tried++
    if (isOk(reply)) tally.through++
    if (!isOk(reply)) tally.wrong.push(`${player.name}, ${what}: the application says ${verdictOf(reply)}`)
    else if (rowsOf(reply).some(row => row.id === id) !== wanted)
      tally.wrong.push(`${player.name}, ${what}: it is ${wanted ? 'not ' : ''}found, against what it says`)
  }
  const seen = searchedFields(entity).filter(field => oracle.seesField(known, field) && field.computed === null)
  for (const field of seen) {
    const { key, searchable } = field
    // Any that says a word to them will do.
    const found = known.world
      .records(entity.key)
      .map(record => ({ ...known, record }))
      .filter(one => !isArchived(one.record) && oracle.sees(one) && oracle.seesField(one, field))
      .map(({ record: { id, [key]: value } }) => ({
        id: String(id),
        word: wordsIn(value ?? null).toSorted((a, b) => b.length - a.length)[0],
      }))
      .find(({ word }) => word !== undefined)
    if (found?.word === undefined) continue
    site.judged.add(searchable)
    const reply = await find({ q: found.word, sort: '-created_at' })
    if (rowsOf(reply).length < pageOf(reply)) check(`the search for ${found.word}`, reply, true, found.id)
  }
  if (seen.length > 0) check('the search for a word that nothing has', await find({ q: 'qzxjvkwqzxj' }), false)
  for (const field of entity.fields) {
    const value = known.record[field.key]
    if (field.type.kind !== 'reference' || typeof value !== 'string' || !oracle.seesField(known, field)) continue
    const other = known.world.records(field.type.entity).find(({ id }) => id !== value)
    if (other !== undefined) check(`another ${field.key}`, await find({ [field.key]: String(other.id) }), false)
    break
  }
}

/** Who sees a record is nobody's word: whoever is shown one finds it by a word of each text that is searched. */
export async function tryShown(trial: Trial): Promise<void> {
  const { site, entity } = trial
  const tally = tallyOf(trial, 'door finds', entity.cell, `${entity.name}: its list finds what is looked for`)
  for (const player of site.players) {
    const shown = rowsOf(await ask(site, player, 'GET', entity.key)) as readonly RecordValue[]
    for (const { key, searchable } of searchedFields(entity)) {
      const found = shown.flatMap(({ id, [key]: value }) => wordsIn(value ?? null).map(word => ({ id, word })))[0]
      if (found === undefined) continue
      const reply = await ask(site, player, 'GET', `${entity.key}?${new URLSearchParams({ q: found.word })}`)
      site.judged.add(searchable)
      tally.tried++
      if (isOk(reply)) tally.through++
      if (!rowsOf(reply).some(({ id }) => id === found.id) && rowsOf(reply).length < pageOf(reply))
        tally.wrong.push(`${player.name}, the search for ${found.word}: it is not found, against what it says`)
    }
    if (shown.length > 0) return
  }
}

/** Rows of a page that is full: then there may be more than it shows. */
const pageOf = ({ body }: Reply): number => (body.next == null ? Number.POSITIVE_INFINITY : 0)

const wordsIn = (value: RecordValue[string]): readonly string[] =>
  typeof value === 'string' ? value.split(/\s+/).filter(word => /^[a-z]{4,30}$/i.test(word)) : []

/** What a screen takes and gives beside its page: its own form without the token, and its list as a file. What is wrong; empty: nothing. */
export async function tryBeside(site: Site, screen: Screen, player: Player, html: string): Promise<readonly string[]> {
  const route = specified(screen.route)
  const entity = specified(screen.shows)?.entity ?? null
  const world = await site.observatory.world(player)
  if (route === null || fieldIn(route) !== null || entity === null || world.actor.id === null) return []
  const headers = { ...(await site.headersFor(player)), origin: site.url }
  const wrong: string[] = []
  if (html.includes(`action="${route.pattern}"`) && html.includes('name="_csrf"')) {
    const body = new URLSearchParams({ _once: `verify-${process.pid}-${++keys}` })
    const { status } = await reach(`${site.url}${route.pattern}`, { method: 'POST', headers, body, redirect: 'manual' })
    if (status !== 403) wrong.push(`its form without a token is answered with ${status}`)
  }
  if (!isTold(site.app, entity)) return wrong
  const file = await reach(`${site.url}${route.pattern}?_export=csv`, { headers, redirect: 'manual' })
  const isFile = file.headers.get('content-type')?.startsWith('text/csv') === true
  const may = oracle.mayAtAll({ world, entity }, 'Export')
  if (isFile || html.includes('_export=csv') || !may) site.judged.add(...oracle.decidedBy({ world, entity }, 'Export'))
  if (isFile && !may) wrong.push('the application gives it as a file, the document does not')
  if (!isFile && may && html.includes('_export=csv')) wrong.push(`as a file it is answered with ${file.status}`)
  return wrong
}

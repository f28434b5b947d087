/** Which records the texts of a file mean: those of many rows are looked up in one statement for each entity. */

import { type FileCell, shownOf } from '../../document/file-cells.ts'
import { foldedSql } from '../../expression/letters.ts'
import { memoize } from '../../expression/memoize.ts'
import { join, type Sql, slot, sql } from '../../expression/sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { App } from '../../headings/app.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import { gathered, namedIn } from '../../kinds/fields/several/links.ts'
import { composed } from '../../kinds/fields/texts.ts'
import { live } from '../access/archived.ts'
import { allOf, conditionSql } from '../access/condition.ts'
import { policyFor } from '../access/policy.ts'
import { nameable } from '../access/unnamed.ts'
import { fieldSql, fromSql } from '../names.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import { wordsIn } from '../problems/words.ts'
import { labelSql } from '../read/select.ts'
import type { Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { fits, isId } from '../values.ts'
import { columnAt } from './import-fields.ts'
import type { JobRow, JobWhat } from './jobs.ts'

/** By entity and text, the records that it can mean: two where it is not clear which. */
export type Candidates = ReadonlyMap<string, ReadonlyMap<string, readonly Candidate[]>>

interface Candidate {
  readonly id: string
  /** It may be named anew. What is archived is meant only where nothing else is: it stays where it stood. */
  readonly live: boolean
}

export type Read = { readonly value: Wire } | { readonly problem: Problem }

/** The entity that a field refers to; null: it names no records. */
export const namedBy = ({ type }: Field): string | null =>
  type.kind === 'reference' || type.kind === 'list' ? type.entity : null

export interface ImportJob {
  readonly entity: string
  readonly what: JobWhat
}

/** The columns whose cells name records. */
const columnsNaming = (app: App, { entity, what }: ImportJob) =>
  (what.mapping ?? []).flatMap((key, at) => {
    const field = columnAt(app, entity, key)?.field
    const target = field == null ? null : namedBy(field)
    return field == null || target === null ? [] : [{ at, field, target }]
  })

export const entitiesNamed = (app: App, job: ImportJob): readonly string[] =>
  columnsNaming(app, job).map(({ target }) => target)

const textsOf = ({ type }: Field, cell: FileCell): readonly string[] =>
  (type.kind === 'list' ? namedIn(shownOf(cell)).map(({ name }) => name) : [shownOf(cell)]).map(textMeant)

const textMeant = (text: string): string => composed(text.trim())

/** What the cells of these rows mean. */
export async function meantIn(
  runtime: Runtime,
  request: Request,
  job: ImportJob,
  rows: readonly JobRow[],
): Promise<Candidates> {
  const texts = new Map<string, Set<string>>()
  const every = rows.flatMap(row => [row, ...(row.goingOn ?? [])])
  for (const { at, field, target } of columnsNaming(runtime.app, job)) {
    const known = memoize(texts, target, () => new Set<string>())
    for (const { cells } of every)
      if (cells?.[at] !== undefined) for (const text of textsOf(field, cells[at])) known.add(text)
  }
  const meant = new Map<string, ReadonlyMap<string, readonly Candidate[]>>()
  for (const [target, all] of texts) meant.set(target, await candidates(runtime, request, target, [...all]))
  return meant
}

/** Records by their title, another text of theirs that is unique, perhaps within others, or their id. */
async function candidates(
  { app, store }: Runtime,
  request: Request,
  target: string,
  texts: readonly string[],
): Promise<ReadonlyMap<string, readonly Candidate[]>> {
  const asked = texts.filter(text => text !== '' && fits({ kind: 'text' }, text))
  const query = asked.length === 0 ? null : meantSql(app, request, target)
  if (query === null) return new Map()
  const found = await store.run<Candidate & { text: string }>(
    query,
    bindingsOf(request, { texts: asked, ids: asked.map(text => (isId(text) ? text : null)) }),
  )
  return Map.groupBy(found, ({ text }) => text)
}

/** Null: they may name none of them. */
function meantSql(app: App, request: Request, target: string) {
  const policy = policyFor(app, request.actor)
  const seen = policy.names(target, 't')
  if (seen === false) return null
  return cachedStatement(app, ['meant', policy.key, target], () => {
    const label = labelSql(app, policy, target, 't')
    const unique = app.entities.get(target)!.fields.filter(one => one.type.kind === 'text' && one.unique !== null)
    const compared = ({ unique: rule }: Field, text: Sql) => foldedSql(rule!.without, text)
    const isMeant = [
      ...(label === null ? [] : [sql`${label} = wanted.text`]),
      ...unique.flatMap(one => {
        const visible = policy.field(target, one.key, 't')
        return visible === false
          ? []
          : [
              allOf([
                visible,
                sql`${compared(one, fieldSql(app, target, one.key, 't'))} = ${compared(one, sql`wanted.text`)}`,
              ]),
            ]
      }),
      sql`t.id = wanted.id`,
    ]
    const isLive = conditionSql(allOf([live(app, target, 't'), nameable(policy, target, 't')]))
    const ways = isMeant.map(
      is => sql`select wanted.text, t.id, ${isLive} as live
        from unnest(${slot('texts')}::text[], ${slot('ids')}::uuid[]) as wanted (text, id)
        join ${fromSql(target, 't')} on ${conditionSql(allOf([seen, is]))}`,
    )
    return built(sql`select text, id, live from (
      select found.*, row_number() over (partition by text order by live desc) as place from (${join(ways, ' union ')}) as found
    ) as each where place <= 2 order by live desc`)
  })
}

/** The one record, or the several, that a cell of a field means. */
export function recordsMeant(
  app: App,
  request: Request,
  entity: string,
  field: Field,
  cell: FileCell,
  meant: Candidates,
): Read {
  const ids: string[] = []
  for (const text of textsOf(field, cell)) {
    const found = recordMeant(app, request, entity, field, text, meant)
    if ('problem' in found) return found
    ids.push(found.id)
  }
  return { value: ids.length === 0 ? null : gathered(undefined, ids.join(' ')) }
}

function recordMeant(
  app: App,
  request: Request,
  entity: string,
  field: Field,
  text: string,
  meant: Candidates,
): Candidate | { readonly problem: Problem } {
  const target = namedBy(field)!
  // As an export writes it: what stands there stays.
  if (text === wordsIn(request.locale).unseen) return { id: unseen, live: true }
  const all = meant.get(target)?.get(text) ?? []
  const found = all.some(one => one.live) ? all.filter(one => one.live) : all
  const [first] = found
  const isSeen = policyFor(app, request.actor).field(entity, field.key, 't') !== false
  if (!isSeen || first === undefined || (found.length > 1 && target === 'person' && !first.live))
    return { problem: raise(app, 'NF-NO-RECORD', { label: field.label }, { field: field.key }) }
  return found.length === 1 ? first : { problem: raise(app, 'NF-IMPORT-SEVERAL', { text }, { field: field.key }) }
}

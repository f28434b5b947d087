/**
 * Why somebody may, or may not, do each thing with one record. What is told of the record's values goes by the one who reads it, what
 * may be done by the one who is asked about: mostly the same person.
 */

import type { Cell } from '../../document/source.ts'
import type { Checked, Path } from '../../expression/checked.ts'
import { partsOf } from '../../expression/computed.ts'
import type { Expression } from '../../expression/expression.ts'
import { type Sql, slot, sql } from '../../expression/sql.ts'
import { toSql } from '../../expression/to-sql.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { linesOf, rolesOfLines } from '../../headings/6-permissions/lines.ts'
import type { Access, FieldPermission, Permission } from '../../headings/6-permissions/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified, specified } from '../../headings/specified.ts'
import type { May, ReadRow, Verdict } from '../../kinds/screens/read-data.ts'
import type { OneNeed } from '../../kinds/screens/screen-kind.ts'
import { columnSql, fromSql, valueSql, whereSql } from '../names.ts'
import { mayComment } from '../people/comments.ts'
import { seesHistory } from '../read/history.ts'
import { namedBy } from '../read/read.ts'
import { readable } from '../read/readable.ts'
import {
  type Part,
  type Raw,
  referenceLabel,
  selectionOf,
  selectList,
  visibleFields,
  visibleLists,
} from '../read/select.ts'
import type { Actor, Request, Runtime } from '../request.ts'
import { bindingsOf, built, cachedStatement } from '../statements.ts'
import { readGuards } from './ask-guards.ts'
import { allOf, type Condition, conditionSql } from './condition.ts'
import { lockParts, locksIn } from './locks.ts'
import { type Policy, policyFor, type Verb } from './policy.ts'
import { notSettable } from './settable.ts'
import { mayOf, verbOf } from './verdict.ts'

export interface Why {
  readonly entity: string
  /** The record, as whoever reads this sees it. */
  readonly row: ReadRow
  /** Whom it is about. */
  readonly actor: Actor
  readonly verbs: readonly WhyOfVerb[]
  readonly steps: May['steps']
  /** Fields that whoever reads this sees. */
  readonly fields: readonly FieldWhy[]
  /** What a condition reads, in its order. */
  readonly reads: (condition: Expression) => readonly ReadValue[]
}

type WhyVerb = Exclude<Verb, 'create' | 'import' | 'restore'> | 'comment' | 'history'

export interface WhyOfVerb {
  readonly verb: WhyVerb
  readonly verdict: Verdict
  /** Rows of their roles under heading 6 that decide: those that open it; where it is closed, all. */
  readonly rows: readonly Permission[]
}

export interface FieldWhy {
  readonly key: string
  /** Whether whom it is about sees it. */
  readonly sees: boolean
  readonly set: {
    readonly open: boolean
    readonly because: Cell
    /** Of other lines of the field that decide in the same way. */
    readonly also: readonly Cell[]
    /**
     * `record`: because the record cannot be changed. `nature`: nobody sets it in a form. `as that role`: they have a role that may, and it
     * does not change this record. `when`: read-only, or not there, just now.
     */
    readonly reason: 'allowed' | 'record' | 'nature' | 'locked' | 'roles' | 'as that role' | 'when'
  }
}

export type ReadValue = {
  /** As the document writes it: `item.retired_on`, `limits.max_open`. */
  readonly name: string
  readonly node: Checked
} & (
  | { readonly kind: 'kept from you' }
  /** `entity`: the one whose field it is, for the words of its states; `label`: what a reference names. */
  | {
      readonly kind: 'value'
      readonly entity: string | null
      readonly type: Type
      readonly wire: Wire
      readonly label: string | null
    }
)

/** Null: the record is not there, or whoever reads may not see it. `about`: the same moment, for whom it is about. */
export async function readWhy(
  { app, store }: Runtime,
  request: Request,
  { entity, by }: Pick<OneNeed, 'entity' | 'by'>,
  about: Request = request,
): Promise<Why | null> {
  if (!app.entities.has(entity)) return null
  const isOwn = about.actor.id === request.actor.id
  const policy = policyFor(app, request.actor)
  const theirs = policyFor(app, about.actor)
  const isNamed = namedBy(app, policy, entity, by)
  if (isNamed === null) return null
  const { selection, told, asked, query, other } = cachedStatement(
    app,
    ['why', policy.key, theirs.key, isOwn, entity, by.field],
    () => {
      const fields = [...visibleFields(app, policy, entity)]
      const selected = selectionOf({ app, policy, entity, alias: 't', fields, may: false })
      const lists = visibleLists(app, policy, entity).map(({ field }) => field)
      const values = toldValues(app, policy, entity, isOwn)
      const questions = questionsOf(app, theirs, about.actor, entity, [...selected.fields, ...lists])
      const shown = allOf([policy.rows(entity, 'see', 't'), isNamed])
      const own = [...selected.parts, ...values.parts, ...(isOwn ? questions.parts : [])]
      return {
        selection: selected,
        told: values,
        asked: questions,
        query: built(sql`select ${selectList(unique(own))} from ${fromSql(entity, 't')}${selected.joins}
        where ${conditionSql(shown)} limit 1`),
        other:
          built(sql`select ${selectList([{ name: 'id', sql: columnSql('t', 'id'), type: 'reference' }, ...unique(questions.parts)])}
        from ${fromSql(entity, 't')} where ${columnSql('t', 'id')} = ${slot('id')}::uuid`),
      }
    },
  )
  const of = (who: Request, named: Condition, { field, value }: OneNeed['by']) =>
    readGuards(store, app, who, entity, { by: field, named, value })
  const own = isOwn ? await of(request, isNamed, by) : request
  const [found] = await store.run<Raw>(query, bindingsOf(own, { address: by.value }))
  if (found === undefined) return null
  const row = selection.read(found, request)
  const itself = { field: 'id', value: row.id }
  const asking = isOwn ? own : await of(about, namedBy(app, theirs, entity, itself)!, itself)
  const [raw] = isOwn ? [found] : await store.run<Raw>(other, bindingsOf(asking, { id: row.id }))
  if (raw === undefined) return null
  const seen = (key: string) => key in row.values || !selection.fields.includes(key)
  const answers = asked.read(raw, asking)
  return {
    entity,
    row,
    actor: about.actor,
    ...answers,
    fields: answers.fields.filter(({ key }) => seen(key)),
    reads: condition => told.read(condition, found, request),
  }
}

/** The same column asked for twice is one. */
const unique = (parts: readonly Part[]): readonly Part[] => [
  ...new Map(parts.map(part => [part.name, part] as const)).values(),
]

interface Questions {
  readonly parts: readonly Part[]
  readonly read: (raw: Raw, request: Request) => Pick<Why, 'verbs' | 'steps' | 'fields'>
}

/** What is asked of the row for the one whom it is about. */
function questionsOf(app: App, policy: Policy, actor: Actor, entity: string, keys: readonly string[]): Questions {
  const parts: Part[] = []
  const ask = (name: string, condition: Condition): ((raw: Raw) => boolean) => {
    if (typeof condition === 'boolean') return () => condition
    parts.push({ name, sql: sql`(${condition}) is true`, type: 'yes/no' })
    return raw => raw[name] === true
  }
  const may = mayOf(app, policy, entity, 't')
  parts.push(...may.parts)
  const access = app.access.get(entity)!
  const mine = access.basis === 'written' ? access.rows.filter(({ role }) => actor.roles.includes(role)) : []
  const opened = verbsOfRows.map(verb =>
    mine.map((row, index) => ({ row, opens: ask(`row ${verb} ${index}`, granted(row[verb])) })),
  )
  parts.push(...lockParts(app, entity, 't'))
  const see = verbOf(policy, entity, 'see', 't')
  const out = verbOf(policy, entity, 'export', 't')
  parts.push(...see.parts, ...out.parts)
  const fields = app.entities.get(entity)!.fields.filter(({ key }) => keys.includes(key))
  const asked = fields.map((field, index) => ({
    field,
    sees: ask(`sees ${index}`, policy.field(entity, field.key, 't')),
    sets: ask(`sets ${index}`, policy.sets(entity, field.key, 'change', 't')),
    lines: linesOf(access, field.key)
      .filter(line => (specified(line.change ?? line.see)?.roles ?? []).some(role => actor.roles.includes(role)))
      .map((line, at) => ({ line, holds: ask(`line ${index} ${at}`, holdsOf(line)) })),
    shut: shutBy(field).map(({ condition, cell, when }, at) => ({
      cell,
      is: ask(`shut ${index} ${at}`, when(condition)),
    })),
  }))
  const { comments, timeline, partOf } = app.entities.get(entity)!
  return {
    parts,
    read(raw, request) {
      const seen = see.verdict(raw)
      const sees = seen.open
      // Who does not see a record does nothing with it.
      const unlessUnseen = <Of extends Verdict>(of: Of): Of =>
        sees ? of : { ...of, open: false, because: seen.because, reason: seen.reason, missing: null }
      const { change, delete: remove, steps } = may.read(raw, request)
      const told = (verb: 'comment' | 'history', line: typeof comments, open: boolean): WhyOfVerb => {
        const reason = open ? 'allowed' : line !== null && isUnspecified(line) ? 'unspecified' : 'who'
        const verdict: Verdict = { open, because: line?.cell ?? seen.because, reason, missing: null }
        return { verb, verdict: unlessUnseen(verdict), rows: [] }
      }
      const changing = unlessUnseen(change)
      const by = (verb: (typeof verbsOfRows)[number], verdict: Verdict): WhyOfVerb => {
        const rows = opened[verbsOfRows.indexOf(verb)]!.filter(({ opens }) => !verdict.open || opens(raw))
        return { verb, verdict, rows: rows.map(({ row }) => row) }
      }
      const locks = locksIn(app, entity, raw)
      return {
        verbs: [
          by('see', seen),
          by('change', changing),
          by('delete', unlessUnseen(remove)),
          by('export', unlessUnseen(out.verdict(raw))),
          ...(partOf === null ? [told('comment', comments, mayComment(app, actor, entity))] : []),
          ...(timeline === null ? [] : [told('history', timeline, seesHistory(app, actor, entity))]),
        ],
        steps: steps.map(unlessUnseen),
        fields: asked.map(one => {
          const roles = () => by('change', changing).rows
          const set = whySets(raw, one, { changing, locks, mine, roles, access, request })
          return { key: one.field.key, sees: sees && one.sees(raw), set }
        }),
      }
    },
  }
}

interface AskedField {
  readonly field: Field
  readonly sets: (raw: Raw) => boolean
  /** The lines of the field that speak of a role of this person. */
  readonly lines: readonly { readonly line: FieldPermission; readonly holds: (raw: Raw) => boolean }[]
  readonly shut: readonly { readonly cell: Cell; readonly is: (raw: Raw) => boolean }[]
}

/** What decides about the whole record. */
interface AroundField {
  readonly changing: Verdict
  readonly locks: ReturnType<typeof locksIn>
  /** Lines of the person's roles. */
  readonly mine: readonly Permission[]
  /** Those of them that let the person change the record. */
  readonly roles: () => readonly Permission[]
  readonly access: Access
  readonly request: Request
}

function whySets(raw: Raw, { field, sets, lines, shut }: AskedField, around: AroundField): FieldWhy['set'] {
  const { changing, locks, mine, access } = around
  const no = (because: Cell, reason: FieldWhy['set']['reason'], also: readonly Cell[] = []) => ({
    open: false,
    because,
    also,
    reason,
  })
  const nature = notSettable(field, 'change', around.request.actor)
  if (nature !== null) return no(nature, 'nature')
  if (!changing.open) return no(changing.because, 'record', changing.also)
  const lock = locks.find(one => one.locks(field.key))
  if (lock !== undefined) return no(lock.cell, 'locked')
  const line = lines.find(({ holds }) => holds(raw))?.line ?? linesOf(access, field.key)[0]
  if (!sets(raw)) {
    const [first, ...others] = lines.flatMap(({ line: { when } }) => (when === null ? [] : [when.cell]))
    if (first !== undefined) return no(first, 'when', others)
    const cell = line?.change?.cell ?? line?.see.cell ?? changing.because
    const roles = rolesOfLines(
      lines.map(of => of.line),
      'change',
    )
    const named = mine.filter(({ role }) => roles?.includes(role))
    return no(
      cell,
      named.length === 0 ? 'roles' : 'as that role',
      named.map(({ change: of }) => of.cell),
    )
  }
  const closed = shut.find(({ is }) => is(raw))
  if (closed !== undefined) return no(closed.cell, 'when')
  const granting = around.roles().map(({ change: of }) => of.cell)
  const [because = changing.because, ...also] = line?.change == null ? granting : [line.change.cell]
  return { open: true, because, also, reason: 'allowed' }
}

const verbsOfRows = ['see', 'change', 'delete', 'export'] as const

const granted = (grant: Permission['see']): Condition =>
  !isUnspecified(grant) && (grant.kind === 'yes' || (grant.kind === 'when' && whereSql(grant.expression, 't')))

const holdsOf = ({ when }: FieldPermission): Condition => when === null || (!isUnspecified(when) && whereSql(when, 't'))

/** Conditions that keep everybody from a field: what is read-only while one holds, or is not there while one does not. */
function shutBy({ readOnlyWhen, onlyWhen }: Field) {
  const all = [
    { condition: readOnlyWhen, when: (one: Expression): Condition => valueSql(one, 't') },
    { condition: onlyWhen, when: (one: Expression): Condition => sql`(${valueSql(one, 't')}) is not true` },
  ]
  return all.flatMap(({ condition, when }) =>
    // A function in TypeScript is asked when it is written.
    condition === null || condition.tier === 3 ? [] : [{ condition, when, cell: condition.cell }],
  )
}

/** The conditions that can decide about a record of the entity. */
export function conditionsOf(app: App, entity: string): readonly Expression[] {
  const access = app.access.get(entity)
  const grants =
    access?.basis === 'written' ? access.rows.flatMap(row => [row.see, row.change, row.delete, row.export]) : []
  const closing = (access?.nevers ?? []).flatMap(never => [
    ...[never.see, never.change, never.delete, never.do, never.export],
    ...never.steps.map(({ when }) => when),
  ])
  const workflow = app.workflows.get(entity)
  const guards = [...(workflow?.transitions ?? []), ...(workflow?.approvals ?? [])].map(({ when }) => when)
  return [
    ...[...grants, ...closing].flatMap(grant =>
      !isUnspecified(grant) && grant.kind === 'when' ? [grant.expression] : [],
    ),
    ...(access?.fields ?? []).flatMap(({ when }) => (when === null || isUnspecified(when) ? [] : [when])),
    ...guards.flatMap(guard => (guard === null || isUnspecified(guard) ? [] : [guard])),
    ...app.entities
      .get(entity)!
      .fields.flatMap(({ readOnlyWhen, onlyWhen }) => [readOnlyWhen, onlyWhen].filter(one => one !== null)),
  ]
}

interface ConditionValues {
  readonly parts: readonly Part[]
  readonly read: (condition: Expression, raw: Raw, request: Request) => readonly ReadValue[]
}

/** The values that the conditions read, each only where whoever reads may see all that it is made of. */
function toldValues(app: App, policy: Policy, entity: string, isOwn: boolean): ConditionValues {
  const parts: Part[] = []
  const known = new Map<string, (raw: Raw, request: Request) => ReadValue>()
  const made = (condition: Expression, node: Checked, name: string): ((raw: Raw, request: Request) => ReadValue) => {
    const { type } = node
    const kept: ReadValue = { kind: 'kept from you', name, node }
    const value = (wire: Wire, of: string | null, label: string | null = null): ReadValue => ({
      kind: 'value',
      name,
      node,
      entity: of,
      type,
      wire,
      label,
    })
    if (node.op === 'limit') return (_, { limits }) => value(limits[node.name] ?? null, null)
    if (node.op === 'today') return (_, { today }) => value(today, null)
    if (node.op === 'now') return (_, { now }) => value(now.toISOString(), null)
    if (type.kind === 'list' || type.kind === 'values' || type.kind === 'error') return () => kept
    const isTheirs = asksWhoAsks(node)
    const open =
      isTheirs && !isOwn
        ? false
        : allOf([readable(app, policy, node, 't'), !isTheirs || isPlainlySeen(app, policy, node)])
    if (open === false) return () => kept
    const index = known.size
    const of = toSql({ ...condition, root: node }, { alias: 't' })
    const guarded = (inner: Sql) => (open === true ? inner : sql`case when ${open} then ${inner} end`)
    parts.push({ name: `q${index}`, sql: guarded(of), type: type.kind })
    if (open !== true) parts.push({ name: `p${index}`, sql: sql`(${open}) is true`, type: 'yes/no' })
    const label = type.kind === 'reference' ? referenceLabel(app, policy, type.entity, of, `q${index}`) : null
    if (label !== null) parts.push({ name: `n${index}`, sql: guarded(label), type: 'text' })
    const last = node.op === 'field' ? node.path.steps.at(-1)!.entity : entity
    return raw => {
      if (open !== true && raw[`p${index}`] !== true) return kept
      const wire = raw[`q${index}`] ?? null
      const named = label === null ? null : ((raw[`n${index}`] ?? null) as string | null)
      // Of a record that may not be seen there is no title, and its id says nothing.
      return type.kind === 'reference' && wire !== null && named === null ? kept : value(wire, last, named)
    }
  }
  const all = new Map(
    conditionsOf(app, entity).map(condition => [
      condition,
      leavesOf(condition.root).map(({ name, node }) => {
        const key = JSON.stringify(node)
        let read = known.get(key)
        if (read === undefined) {
          read = made(condition, node, name)
          known.set(key, read)
        }
        return read
      }),
    ]),
  )
  return {
    parts,
    read: (condition, raw, request) => {
      const values = (all.get(condition) ?? []).map(read => read(raw, request))
      return [...new Map(values.map(value => [JSON.stringify(value), value])).values()]
    },
  }
}

interface Leaf {
  readonly name: string
  readonly node: Checked
}

/** What an expression is made of: fields, constants, and numbers over other records as one. */
function leavesOf(node: Checked): readonly Leaf[] {
  if (node.op === 'field') return [{ name: pathName(node.path), node }]
  if (node.op === 'limit') return [{ name: `limits.${node.name}`, node }]
  if (node.op === 'limit on') return [{ name: `limits.${node.name}`, node }, ...leavesOf(node.day)]
  if (node.op === 'today' || node.op === 'now') return [{ name: node.op, node }]
  if (node.op !== 'aggregate') return partsOf(node).flatMap(leavesOf)
  const { source, name } = node
  return callsCode(node)
    ? []
    : [{ name: `${name}(${source.kind === 'list' ? pathName(source.path) : source.entity})`, node }]
}

const callsCode = (node: Checked): boolean => node.op === 'function' || partsOf(node).some(callsCode)

const prefixes = { own: '', this: '', old: 'old.', me: 'my.', named: '', self: '' } as const

const pathName = ({ base, steps }: Path): string => prefixes[base] + steps.map(({ field }) => field).join('.')

const asksWhoAsks = (node: Checked): boolean =>
  node.op === 'me' || (node.op === 'field' && node.path.base === 'me') || partsOf(node).some(asksWhoAsks)

/** Of what stands in the asking person's own record, only what they see there, too. */
function isPlainlySeen(app: App, policy: Policy, node: Checked): boolean {
  if (node.op !== 'field' || node.path.base !== 'me')
    return partsOf(node).every(part => isPlainlySeen(app, policy, part))
  return node.path.steps.every(
    ({ entity, field }, index) =>
      (index === 0 || policy.names(entity, 'r') === true) && policy.field(entity, field, 'r') === true,
  )
}

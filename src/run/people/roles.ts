/** Roles that people have by what stands in their own record: `my.kind = Student`, asked of a row of people. */
import type { Checked, CheckedNode } from '../../expression/checked.ts'
import { add, formatDecimal, parseDecimal, whole } from '../../expression/decimal.ts'
import type { Expression } from '../../expression/expression.ts'
import { join, raw, type Sql, slot, sql } from '../../expression/sql.ts'
import { toSql } from '../../expression/to-sql.ts'
import type { Wire } from '../../expression/type.ts'
import type { SharedWho } from '../../headings/6-permissions/model.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { allOf, type Condition, conditionSql } from '../access/condition.ts'
import { sharedRecords } from '../access/shared.ts'
import { columnSql } from '../names.ts'
import { readingClosed } from './closed.ts'

/** The conditions of roles, by name. */
export function conditionsOf(app: App): readonly { readonly role: string; readonly when: Expression }[] {
  return [...app.roles.values()].flatMap(({ name, who }) =>
    isUnspecified(who) || who.kind !== 'when' ? [] : [{ role: name, when: who.when }],
  )
}

/** Roles that people have while a record is shared with them. */
const sharesOf = ({ roles }: App): readonly { readonly role: string; readonly who: SharedWho }[] =>
  [...roles.values()].flatMap(({ name, who }) =>
    isUnspecified(who) || who.kind !== 'shared' ? [] : [{ role: name, who }],
  )

/** Names of the roles that the person whose row `alias` is has by a condition, or because something is shared with them, as an array. Slots: `today`, `now`. */
export function rolesByCondition(app: App, alias: string): Sql {
  const roles = [
    ...conditionsOf(app).map(
      ({ role, when }) => sql`case when ${readingClosed(app, holdsFor(when, alias))} then ${role}::text end`,
    ),
    ...sharesOf(app).map(
      ({ role, who }) =>
        sql`case when exists (${sharedRecords(app, role, who, columnSql(alias, 'id'))}) then ${role}::text end`,
    ),
  ]
  return roles.length === 0 ? raw('null::text[]') : sql`array_remove(array[${join(roles, ', ')}], null)`
}

/** A condition over `me` and `my`, of the person who is `this`. */
export const ofPerson = (when: Expression): Expression => ({ ...when, root: asThis(when.root) as Checked })

/** Whether a condition over `me` and `my` holds for the person whose row `alias` is. */
export const holdsFor = (when: Expression, alias: string): Sql =>
  toSql(ofPerson(when), { alias, this: alias, as: 'condition' })

/** The person of the row that `alias` names has the role. */
export function holdsRole(app: App, role: string, alias: string): Condition {
  const who = app.roles.get(role)?.who
  if (who === undefined || isUnspecified(who)) return false
  if (who.kind === 'when') return holdsFor(who.when, alias)
  if (who.kind === 'link') return false
  if (who.kind === 'shared') return sql`exists (${sharedRecords(app, role, who, columnSql(alias, 'id'))})`
  if (who.kind === 'appointed')
    return sql`exists (select from ninefold.appointment as h where h.person = ${columnSql(alias, 'id')} and h.role = ${role} and ${ofToday('h')})`
  return allOf(who.except.map(one => sql`(${conditionSql(holdsRole(app, one, alias))}) is not true`))
}

/** The person has the role for good: it was not given until a day. */
export const holdsForGood = (app: App, role: string, alias: string): Condition =>
  allOf([
    holdsRole(app, role, alias),
    sql`not exists (select from ninefold.appointment as u where u.person = ${columnSql(alias, 'id')} and u.role = ${role} and u.until_on is not null)`,
  ])

/** The appointment has begun, and is not over. Slot: `today`. */
export const ofToday = (appointment: string): Sql =>
  sql`coalesce(${raw(appointment)}.from_on, '-infinity') <= ${slot('today')}::date and ${notOver(appointment)}`

/** It is in force, or will be. */
export const notOver = (appointment: string): Sql =>
  sql`coalesce(${raw(appointment)}.until_on, 'infinity') >= ${slot('today')}::date`

/** The person who asks becomes the row that is looked at, also inside of `any(… where …)`. */
function asThis(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asThis)
  if (typeof node !== 'object' || node === null) return node
  const one = node as Record<string, unknown>
  if (one.op === 'me') return { ...one, op: 'field', path: { base: 'this', steps: [itself] } }
  const parts = Object.entries(one).map(([key, value]) => [key, asThis(value)] as const)
  return { ...Object.fromEntries(parts), ...(one.base === 'me' ? { base: 'this' } : {}) }
}

const itself = { entity: 'person', field: 'id', to: null, parent: false, computed: false } as const

/** Values that give a person the role, where its condition says them plainly: `my.kind = Student and my.level >= 3`. For demo people. */
export function valuesFor(app: App, role: string): Readonly<Record<string, Wire>> {
  const who = app.roles.get(role)?.who
  if (who === undefined || isUnspecified(who) || who.kind !== 'when') return {}
  const { root } = who.when
  const parts = root.op === 'and' ? root.parts : [root]
  return Object.fromEntries(parts.flatMap(part => plainValue(part) ?? []))
}

/** The field of the person that a condition is about, and a value that meets it; null: neither is plain. */
function plainValue(part: Checked): readonly [readonly [field: string, value: Wire]] | null {
  switch (part.op) {
    case 'compare':
    case 'same': {
      const { left, right } = part
      return right.op === 'literal' ? ownValue(left, beside(part.op === 'same' ? '=' : part.sign, right)) : null
    }
    case 'between':
      return part.low.op === 'literal' ? ownValue(part.of, part.low.value) : null
    case 'in': {
      const [first] = part.list
      return first?.op === 'literal' ? ownValue(part.of, first.value) : null
    }
    default:
      return ownValue(part, true)
  }
}

function ownValue(node: Checked, value: Wire | undefined): readonly [readonly [string, Wire]] | null {
  const isOwn = node.op === 'field' && node.path.base === 'me' && node.path.steps.length === 1
  return isOwn && value !== undefined ? [[node.path.steps[0]!.field, value]] : null
}

/** A value that stands so to this one; undefined: none is plain. */
function beside(sign: CheckedNode<'compare'>['sign'], { value, type }: Literal): Wire | undefined {
  if (sign === '=' || sign === '>=' || sign === '<=') return value
  if (sign === '!=') return type.kind === 'choice' ? type.options.find(option => option !== value) : undefined
  const number = typeof value === 'string' ? parseDecimal(value) : null
  return number === null ? undefined : formatDecimal(add(number, whole(sign === '>' ? 1 : -1)))
}

type Literal = CheckedNode<'literal'>

/** What was decided about the steps of a record, as records of an entity of their own: `count(decisions of approve where by = me)`. */
import type { Argument, Ast } from './ast.ts'
import type { Checked } from './checked.ts'
import { type Checking, type Room, sliceOf } from './checking.ts'
import { codeOf, stepKeyOf } from './names.ts'
import { identifier, type Sql, sql } from './sql.ts'
import type { EntityShape, FieldShape, Type } from './type.ts'

const prefix = 'decisions of '

/** The key of the entity of the decisions about records of another one. No document can write it. */
export const decisionsOf = (entity: string): string => `${prefix}${entity}`

/** The entity that the decisions are about; null: these are no decisions. */
export const decidedEntity = (key: string): string | null => (key.startsWith(prefix) ? key.slice(prefix.length) : null)

const person: Type = { kind: 'reference', entity: 'person' }

/** Whether decisions are among what an expression reads (`Expression.reads`). */
export const readsDecisions = ({ reads }: { readonly reads: readonly string[] }): boolean =>
  reads.some(path => path.startsWith(prefix.replaceAll(' ', '_')))

/** Decisions as expressions see them. */
export function decisionsShape({ key, name }: Pick<EntityShape, 'key' | 'name'>): EntityShape {
  const field = (of: string, type: Type, optional = false): [string, FieldShape] => [of, { key: of, type, optional }]
  return {
    key: decisionsOf(key),
    name: `decisions of ${name}`,
    fields: new Map([
      field('id', { kind: 'reference', entity: decisionsOf(key) }),
      field('record', { kind: 'reference', entity: key }),
      field('step', { kind: 'text' }),
      field('approval', { kind: 'text' }),
      field('by', person),
      field('for', person, true),
      field('at', { kind: 'moment' }),
      field('reason', { kind: 'text' }, true),
    ]),
  }
}

/**
 * Those that count: about the version that the record has; once the step was taken, those that it was taken with, until the record is
 * back where the step begins.
 */
export const decisionsSql = (entity: string): Sql => sql`(select d.id, d.record, d.step, d.approval, d.person as "by",
  d.represents as "for", d.at, d.reason from ninefold.decision as d join ${identifier(entity)} as r on r.id = d.record
  where d.entity = ${entity} and case when d.taken_from is null then d.version = r.version else r.state <> all(d.taken_from) end)`

/** Of a condition over decisions as it is checked: the key of the step or of the approval that was named, and what is said besides. */
export function decisionsNamed(where: Checked | null): { readonly key: string; readonly rest: readonly Checked[] } {
  const [, which, ...rest] = where?.op === 'and' ? where.parts : []
  if (which?.op !== 'compare' || which.right.op !== 'literal') throw new Error('Decisions are always of something.')
  return { key: String(which.right.value), rest }
}

/** `decisions of approve where by = me` as records of their entity; null after a report. */
export function decisionsArgument(checking: Checking, argument: Argument, room: Room): Argument | null {
  const { value } = argument
  if (value.kind !== 'decisions') return argument
  const { about, own, same } = room
  const of = about?.decided
  if (of === undefined || own !== about || !same) {
    const why =
      about === null || (of === undefined && own === about)
        ? `${about === null ? 'what is said here' : about.name} has no steps with approvals`
        : 'they are those of the record itself'
    checking.report('N0256', value, { name: sliceOf(checking, value), why })
    return null
  }
  const [step, approval] = [stepKeyOf(value.of.text), codeOf(value.of.text)]
  const which = of.steps.has(step) ? 'step' : of.approvals.has(approval) ? 'approval' : null
  const key = which === 'step' ? step : approval
  if (which === null) {
    const known = [...of.steps, ...of.approvals].map(one => `\`${one}\``).join(', ')
    checking.report('N0255', value.of, { name: value.of.text, entity: about!.name, known })
    return null
  }
  const place = { from: value.from, to: value.to }
  const path = (...names: readonly string[]): Ast => ({
    ...place,
    kind: 'path',
    names: names.map(text => ({ ...place, text })),
  })
  const is = (left: string, right: Ast): Ast => ({
    ...place,
    kind: 'compare',
    sign: '=',
    at: place,
    left: path(left),
    right,
  })
  const these = [is('record', path('this')), is(which, { ...place, kind: 'text', value: key })]
  const where: Ast = { ...place, kind: 'and', parts: [...these, ...(argument.where === null ? [] : [argument.where])] }
  const [first, ...letters] = decisionsOf(about!.key)
  const records = { ...place, text: first!.toUpperCase() + letters.join('') }
  return { ...argument, value: { ...place, kind: 'path', names: [records, ...value.behind] }, where }
}

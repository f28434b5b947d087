/**
 * What nobody can judge while a value that was given is refused: what would be filled from it, and what reads it. Only the refusal
 * itself is told.
 */
import type { Expression } from '../../expression/expression.ts'
import type { RecordValue } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import type { Act } from '../../headings/4-states/model.ts'
import type { App } from '../../headings/app.ts'
import { declared } from '../names.ts'
import { childLists, type Draft, draftRows } from './draft-record.ts'

/** What is read of a record or row: its paths as in `Expression.reads`. */
export interface Reads {
  readonly of: string
  /** Of the paths of its fields: `''`, `lines.0.`. */
  readonly prefix: string
  readonly reads: readonly string[]
  /** It is given whole lists, and may look at any field of their rows: code. */
  readonly whole?: boolean
}

export interface DependsOnInvalid {
  /** Paths of fields that are refused, or would be filled from those. */
  readonly paths: ReadonlySet<string>
  readonly reads: (what: Reads) => boolean
}

/** `refused`: paths that have their problem. `acts`: what a step would set. */
export function dependsOnInvalid(
  app: App,
  entity: string,
  record: Draft,
  old: RecordValue | null,
  refused: Iterable<string>,
  acts: readonly Act[] = [],
): DependsOnInvalid {
  const paths = new Set(refused)
  const isRead = (what: Reads) => paths.size > 0 && what.reads.some(path => reads(app, paths, what, path))
  const rows = paths.size === 0 ? [] : draftRows(app, entity, record, old)
  for (let size = -1; size !== paths.size; ) {
    size = paths.size
    for (const { of, prefix, before } of rows)
      for (const field of app.entities.get(of)!.fields)
        if (filledFrom(field, before === null).some(from => isRead({ of, prefix, ...from })))
          paths.add(`${prefix}${field.key}`)
    for (const act of acts) {
      for (const from of setFrom(app, entity, act))
        if (isRead({ of: entity, prefix: '', ...from })) paths.add(from.field)
    }
  }
  return { paths, reads: isRead }
}

/** Keys of the record itself that decide what may be chosen for a field. */
export const decidedBy = ({
  chooseFrom,
  assignedFrom,
}: Pick<Field, 'chooseFrom' | 'assignedFrom'>): readonly string[] =>
  ((chooseFrom ?? assignedFrom)?.where?.reads ?? []).flatMap(path =>
    path.startsWith('this.') ? path.split('.').slice(1, 2) : [],
  )

/** Of a row: keys of the record that it is part of, by `parent`, that decide it. */
export const decidedAbove = ({ chooseFrom }: Pick<Field, 'chooseFrom'>, parent: string | null): readonly string[] =>
  (chooseFrom?.where?.reads ?? []).flatMap(path => {
    const [base, first, second] = path.split('.')
    return base === 'this' && first === parent && second !== undefined ? [second] : []
  })

type Filled = Pick<Reads, 'reads' | 'whole'>

const by = ({ reads, tier }: Expression): Filled => ({ reads, whole: tier === 3 })

const assignedBy = (field: Field): Filled => {
  const { noOverlap, unique } = field
  const time = noOverlap === null ? [] : [noOverlap.begin, noOverlap.end, ...noOverlap.within]
  const others = [...time, ...(unique?.within ?? [])].filter(key => key !== field.key)
  return { reads: [...(field.assignedFrom?.where?.reads ?? []).filter(path => path.startsWith('this.')), ...others] }
}

function filledFrom(field: Field, isNew: boolean): readonly Filled[] {
  const { copiedFrom, assignedFrom } = field
  const copied = copiedFrom !== null && (isNew || field.renewed) ? [by(copiedFrom)] : []
  return assignedFrom !== null && isNew ? [...copied, assignedBy(field)] : copied
}

function setFrom(app: App, entity: string, act: Act): readonly (Filled & { readonly field: string })[] {
  if (act.kind === 'set' && act.of === null) return act.values.map(({ field, value }) => ({ field, ...by(value) }))
  if (act.kind === 'let') return [{ field: `limits.let.${act.name}`, ...by(act.value) }]
  return act.kind === 'assign' ? [{ field: act.field, ...assignedBy(declared(app, entity, act.field)!) }] : []
}

function reads(app: App, paths: ReadonlySet<string>, { of, prefix, whole }: Reads, path: string): boolean {
  if (paths.has(path)) return true
  const names = path.split('.').slice(path.startsWith('this.') ? 1 : 0)
  let [at, entity] = [prefix, of]
  // From a row up to what it is part of.
  while (at !== '' && names[0] === app.schema.get(entity)!.parent) {
    names.shift()
    at = at
      .split('.')
      .slice(0, -3)
      .map(part => `${part}.`)
      .join('')
    entity = app.entities.get(entity)!.partOf!
  }
  // From the rows of a list back to their record.
  const lists = childLists(app, entity)
  while (lists.some(({ field, parent }) => field === names[0] && parent === names[1])) names.splice(0, 2)
  const [key] = names
  if (key === undefined) return false
  if (paths.has(`${at}${key}`)) return true
  // Of a list its rows, and of those the fields that are read: `lines.0.item` by `lines.item`, `lines.0` by all of them.
  return [...paths].some(refused => {
    if (!refused.startsWith(`${at}${key}.`)) return false
    const fields = refused
      .slice(at.length)
      .split('.')
      .filter((_, index) => index % 2 === 0)
    const isRead = fields.every((field, index) => index >= names.length || field === names[index])
    return isRead && (fields.length <= names.length || whole === true)
  })
}

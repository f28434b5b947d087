/** Fields and steps that a screen names: columns, cards, sort, buttons. */
import { after, codeless, slice, splitCell, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { didYouMean } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import { type FieldShape, namesIn, type Type } from '../../expression/type.ts'
import { type FieldDraft, knownFields } from '../3-entities/shape.ts'
import { findStep } from '../4-states/declare.ts'
import { type Context, listed, saysNothing } from '../context.ts'
import { evened, writeNearest, writeOneOf } from '../names.ts'
import { screenCodes } from './codes.ts'
import type { AwaitedStep, Buttons, Column, SortKey } from './model.ts'

const section = 2

/** The field that a cell names; null after a report. */
export function fieldOf(context: Context, entity: string, cell: Cell, at = section): FieldShape | null {
  const shape = context.schema.get(entity)!
  const field = shape.fields.get(cell.text)
  if (field !== undefined) return field
  const known = namesIn(shape)
  reporter(screenCodes, at, context.found).report(
    'N1205',
    cell,
    { entity: shape.name, field: cell.text, meant: didYouMean(cell.text, known), known: knownFields(shape) },
    { fixes: writeNearest(cell, known) },
  )
  return null
}

/** The fields of `Columns`; unknown ones are reported and left out. */
export function readColumns(context: Context, entity: string, cell: Cell | null): readonly Column[] {
  if (cell === null) return []
  return splitCell(cell, ',').flatMap(piece => {
    const field = piece.text === '' ? null : fieldOf(context, entity, piece)
    return field === null ? [] : [{ field: field.key, cell: piece }]
  })
}

/** `Columns` of a form: fields, and of a list of rows those of a row (`documents.title`), wherever they stand. */
export function readFormColumns(context: Context, entity: string, cell: Cell | null): readonly Column[] {
  const found = new Map<string, Column>()
  for (const piece of cell === null ? [] : splitCell(cell, ',')) {
    const written = codeless(piece)
    if (written.text === '') continue
    const dot = written.text.indexOf('.')
    const list = dot < 0 ? undefined : context.schema.get(entity)!.fields.get(written.text.slice(0, dot))
    if (list === undefined || !isRows(context, list) || list.type.kind !== 'list') {
      const field = fieldOf(context, entity, written)
      if (field !== null) found.set(field.key, { field: field.key, cell: piece })
      continue
    }
    const column = fieldOf(context, list.type.entity, slice(written, dot + 1))
    const before = found.get(list.key)
    if (column === null || (before !== undefined && before.rows === undefined)) continue
    found.set(list.key, { field: list.key, cell: before?.cell ?? piece, rows: [...(before?.rows ?? []), column.key] })
  }
  return [...found.values()]
}

/** Its rows are part of the record. */
export const isRows = (context: Context, { type }: FieldShape): boolean =>
  type.kind === 'list' && context.schema.get(type.entity)?.parent !== undefined

/** Types with one control that says what is looked for. */
const filtered = new Set<Type['kind']>([
  'text',
  'choice',
  'choices',
  'yes/no',
  'integer',
  'decimal',
  'money',
  'date',
  'moment',
  'reference',
  'error',
])

/** `state, borrower.department`: fields of the record, and of a record that it names. */
export function readFilters(
  context: Context,
  entity: string,
  cell: Cell | null,
): readonly { readonly path: string; readonly cell: Cell }[] {
  if (cell === null) return []
  const found: { readonly path: string; readonly cell: Cell }[] = []
  for (const piece of splitCell(cell, ',')) {
    const written = codeless(piece)
    if (written.text === '') continue
    const dot = written.text.indexOf('.')
    const own = fieldOf(context, entity, dot < 0 ? written : slice(written, 0, dot))
    const there = own?.type.kind === 'reference' ? own.type.entity : null
    if (own !== null && there !== null && written.text.indexOf('.', dot + 1) > 0) {
      const instead = `Filter by a field of what \`${own.key}\` names.`
      const far = { field: written.text, why: 'it lies more than one relation away', instead }
      reporter(screenCodes, section, context.found).report('N1249', piece, far)
      continue
    }
    const field = dot < 0 || there === null ? own : fieldOf(context, there, slice(written, dot + 1))
    if (own === null || field === null) continue
    const wrong = whyNoFilter(context, dot >= 0 && there !== null ? there : entity, field, own, dot >= 0)
    const isTwice = found.some(({ path }) => path === written.text)
    const said = isTwice ? { why: 'it stands there already', instead: 'Take one of the two out.' } : wrong
    if (said === null) found.push({ path: written.text, cell: piece })
    else reporter(screenCodes, section, context.found).report('N1249', piece, { field: written.text, ...said })
  }
  return found
}

function whyNoFilter(
  context: Context,
  entity: string,
  field: FieldShape,
  own: FieldShape,
  isPath: boolean,
): { readonly why: string; readonly instead: string } | null {
  const wrong = (why: string, instead: string) => ({ why, instead })
  if (isPath && own.type.kind !== 'reference')
    return wrong(
      `\`${own.key}\` names no record`,
      'Name a field of the record itself, or of a record that one of its fields names.',
    )
  if (context.typed.get(entity)?.fields.get(field.key)?.rules.has('hidden'))
    return wrong('it is hidden', 'Take it out of the filters.')
  if (field.type.kind === 'secret')
    return wrong('it is a secret, by which nothing is found', 'Take it out of the filters.')
  const isRecords = field.type.kind === 'list' && !isRows(context, field)
  return filtered.has(field.type.kind) || isRecords
    ? null
    : wrong('there is no one control for its type', 'Leave it out: readers find it under Filters all the same.')
}

const unsorted = new Set(['list', 'values', 'file', 'json'])

/** `due_back, then number`, `value down`. `at`: the heading that says it. */
export function readSort(context: Context, entity: string, cell: Cell | null, at = section): readonly SortKey[] {
  if (cell === null) return []
  return splitCell(cell, ',').flatMap(piece => {
    const named = after(piece, 'then') ?? piece
    const turned = /\s+(down|descending|newest first|latest first|largest first)$/i.exec(named.text)
    const written = codeless(turned === null ? named : slice(named, 0, turned.index))
    if (written.text === '' || turnedElsewhere(context, entity, written, at)) return []
    const field = fieldOf(context, entity, written, at)
    if (field === null) return []
    if (unsorted.has(field.type.kind)) {
      const { name } = context.schema.get(entity)!
      reporter(screenCodes, at, context.found).report('N1217', written, { entity: name, field: field.key })
      return []
    }
    return [{ field: field.key, descending: turned !== null, cell: written }]
  })
}

/** `due_back desc`, `-due_back`: as databases and addresses say it. */
function turnedElsewhere(context: Context, entity: string, cell: Cell, at: number): boolean {
  const shape = context.schema.get(entity)!
  const [, minus = '', key = '', word = ''] = /^(-?)(\w+)(?:\s+(desc|asc|ascending|up))?$/i.exec(cell.text) ?? []
  if (!shape.fields.has(key) || (minus === '' && word === '')) return false
  const instead = minus === '-' || /^desc$/i.test(word) ? `${key} down` : key
  reporter(screenCodes, at, context.found).report(
    'N1205',
    cell,
    { entity: shape.name, field: cell.text, meant: `; did you mean \`${instead}\`?`, known: knownFields(shape) },
    { fixes: [writeInstead(cell, instead)] },
  )
  return true
}

/** The steps of `Buttons`; unknown ones are reported and left out. */
export function readButtons(context: Context, entity: string, cell: Cell): Buttons {
  const steps = context.workflows.get(entity)?.steps.all ?? new Map()
  return splitCell(cell, ',').flatMap(piece => {
    if (piece.text === '') return []
    const step = steps.get(evened(piece.text))
    if (step !== undefined) return [{ step: step.key, cell: piece }]
    const known = [...steps.keys()]
    reporter(screenCodes, section, context.found).report(
      'N1210',
      piece,
      {
        entity: context.schema.get(entity)!.name,
        step: piece.text,
        meant: didYouMean(piece.text, known),
        known: listed(known),
      },
      { fixes: writeOneOf(piece, known) },
    )
    return []
  })
}

/** `approve, check of Order`: steps by name, of any entity or of the one that is named behind `of`. `besides`: words that are taken, too. */
export function readSteps(
  context: Context,
  cell: Cell | null,
  besides: readonly string[] = [],
): readonly AwaitedStep[] | null {
  if (cell === null) return null
  const known = new Map([...context.workflows.values()].flatMap(({ steps }) => [...steps.all]))
  return splitCell(cell, ',').flatMap((piece): readonly AwaitedStep[] => {
    if (piece.text === '') return []
    const word = evened(piece.text)
    const step = besides.find(one => one === word) ?? known.get(word)?.key
    if (step !== undefined) return [{ step, entity: null, cell: piece }]
    const of = /^(.+)\sof\s+\S/.exec(piece.text)
    if (of !== null) {
      const entity = context.entities.find(trimmed(slice(piece, of[1]!.length + ' of'.length)))
      const found = entity === null ? null : findStep(context, entity.key, trimmed(slice(piece, 0, of[1]!.length)))
      return found === null ? [] : [{ step: found.key, entity: entity!.key, cell: piece }]
    }
    const names = [...known.keys(), ...besides]
    const parameters = { step: piece.text, meant: didYouMean(piece.text, names), known: listed(names) }
    reporter(screenCodes, section, context.found).report('N1227', piece, parameters, {
      fixes: writeNearest(piece, names),
    })
    return []
  })
}

/** `Loan, Fine line`: entities with a field that refers to the shown one. Null: nothing is said, all but rows of others. */
export function readRelated(
  context: Context,
  entity: string,
  cell: Cell | null,
): readonly { readonly entity: string; readonly cell: Cell }[] | null {
  if (cell === null || cell.text === '') return null
  if (saysNothing(cell)) return []
  const named = (isListed: (of: string, field: FieldDraft) => boolean) =>
    [...context.typed.values()].filter(({ draft, fields }) =>
      [...fields.values()].some(
        field =>
          (field.type.kind === 'reference' || (field.type.kind === 'list' && field.kind.links === true)) &&
          field.type.entity === entity &&
          isListed(draft.key, field),
      ),
    )
  // What is worked out whenever it is read is found from nowhere else, and what is hidden is shown nowhere.
  const refers = named(
    (of, { key, rules }) => !rules.has('hidden') && context.schema.get(of)!.fields.get(key)!.computed === undefined,
  )
  return splitCell(cell, ',').flatMap(piece => {
    const found = piece.text === '' ? null : context.entities.find(piece)
    if (found === null) return []
    if (refers.some(({ draft }) => draft.key === found.key)) return [{ entity: found.key, cell: piece }]
    const { name } = context.schema.get(entity)!
    const parent = context.typed.get(found.key)?.parent ?? null
    const why =
      parent?.key === entity
        ? `is part of ${name}, with which its rows are shown`
        : named(() => true).some(({ draft }) => draft.key === found.key)
          ? `refers to ${name} only by fields that are computed or hidden`
          : `has no field that refers to ${name}`
    const known = listed(refers.map(({ draft }) => draft.name))
    const parameters = { related: found.name, why, entity: name, known }
    reporter(screenCodes, section, context.found).report('N1234', piece, parameters)
    return []
  })
}

/** Rules of a field that look beyond its own value: what may be chosen, what the application assigns, what must not overlap. */
import { after, slice, splitAt, splitCell, trimmed } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import type { Cell, Span } from '../../document/source.ts'
import { type Duration, parseDuration } from '../../expression/dates.ts'
import type { Expression } from '../../expression/expression.ts'
import type { EntityShape, Type } from '../../expression/type.ts'
import { raise } from '../8-errors/read.ts'
import { type Context, readAt } from '../context.ts'
import { type Use, use } from '../gaps/gap.ts'
import { evened } from '../names.ts'
import { entityCodes } from './codes.ts'
import type { Choosing, NoOverlap, Refusal } from './model.ts'
import { noField } from './no-field.ts'
import type { FieldRule, FieldRules, RuleName } from './rules.ts'
import { checkChoice } from './searching.ts'
import type { FieldDraft, TypedEntity } from './shape.ts'

const section = 3
const yesNo: Type = { kind: 'yes/no' }
const noTime: Duration = { months: 0, days: 0, milliseconds: 0 }

/** Which built-in refusals a rule gives. */
const refusalsOf: Partial<Readonly<Record<RuleName, readonly string[]>>> = {
  required: ['NF-REQUIRED', 'NF-FEW'],
  unique: ['NF-UNIQUE', 'NF-UNIQUE-ARCHIVED', 'NF-TWICE'],
  min: ['NF-MIN', 'NF-SHORT', 'NF-FEW'],
  max: ['NF-MAX', 'NF-LONG', 'NF-MANY'],
  from: ['NF-MIN', 'NF-SHORT', 'NF-FEW', 'NF-MAX', 'NF-LONG', 'NF-MANY'],
  pattern: ['NF-PATTERN'],
  types: ['NF-FILE-TYPE'],
  'at most': ['NF-FILE-SIZE'],
  'only when': ['NF-ONLY-WHEN'],
  'read-only when': ['NF-READ-ONLY'],
  'choose from': ['NF-NOT-OFFERED', 'NF-NOT-ALL-OFFERED'],
  'assigned from': ['NF-NONE-FREE'],
  'no overlap of': ['NF-OVERLAP'],
}

/** What stands behind `else`, by the built-in code whose place it takes. Bounds speak for rows before `required` does. */
export function readRefusals(context: Context, entity: string, rules: FieldRules): ReadonlyMap<string, Refusal> {
  const found = new Map<string, Refusal>()
  for (const { name, orElse } of rules.values()) {
    const code = orElse === null ? null : raise(context, orElse, entity)
    if (code === null) continue
    for (const builtIn of refusalsOf[name] ?? [])
      if (name !== 'required' || builtIn !== 'NF-FEW' || !(rules.has('min') || rules.has('from')))
        found.set(builtIn, { code, cell: orElse! })
  }
  return found
}

/** `Fine where state = Open`: an entity, or a role for the people who have it, and which of its records. The field must refer to that entity, or to several of it. */
export function readChoosing(
  context: Context,
  entity: TypedEntity,
  field: FieldDraft,
  rule: FieldRule | undefined,
): Choosing | null {
  if (rule === undefined || (field.type.kind !== 'reference' && field.type.kind !== 'list')) return null
  const parts = splitAt(rule.argument, 'where')
  const named = parts?.before ?? rule.argument
  const role = roleIn(context, named)
  const target = role === null ? context.entities.find(named) : context.entityByKey.get('person')!
  if (target === null) return null
  if (target.key !== field.type.entity) {
    const is = context.schema.get(field.type.entity)!.name
    const parameters = {
      field: field.key,
      is,
      rule: rule.name === 'choose from' ? 'chosen from' : rule.name,
      entity: target.name,
    }
    reporter(entityCodes, section, context.found).report('N1324', named, parameters, {
      fixes: [writeInstead(named, is)],
    })
    return null
  }
  if (parts === null) return { cell: rule.cell, entity: target.key, role, where: null }
  const place = { section, entity: target.key, about: entity.draft.key }
  const read = readAt(
    context,
    parts.after,
    place,
    yesNo,
    use('chooseFrom', { field: field.key, entity: entity.draft.name }),
  )
  const where = checkChoice(context, entity.draft.key, read)
  return where === null ? null : { cell: rule.cell, entity: target.key, role, where }
}

/** The role that stands in place of an entity: people who have it are meant. */
function roleIn(context: Context, named: Cell): string | null {
  const role = context.entities.all.has(evened(named.text)) ? undefined : context.roles.all.get(evened(named.text))
  if (role === undefined) return null
  context.usedRoles.add(role.name)
  const who = role.row.cell('Who')
  if (who !== null && after(who, 'link of') !== null)
    reporter(entityCodes, section, context.found).report('N1367', named, { role: role.name })
  return role.name
}

/** `collect_at to return_at within item with 30 minutes between while state in (…)`, `first_day through last_day`. */
export function readNoOverlap(
  context: Context,
  entity: TypedEntity,
  shape: EntityShape,
  field: FieldDraft,
  rule: FieldRule | undefined,
): NoOverlap | null {
  if (rule === undefined) return null
  const { report } = reporter(entityCodes, section, context.found)
  const wrong = (cell: Cell, what: string, help: string) => {
    report('N1323', cell, { wrong: what, help })
    return null
  }
  const condition = splitAt(rule.argument, 'while')
  const withGap = splitAt(condition?.before ?? rule.argument, 'with')
  const inside = splitAt(withGap?.before ?? condition?.before ?? rule.argument, 'within')
  const stretch = inside?.before ?? withGap?.before ?? condition?.before ?? rule.argument
  const through = splitAt(stretch, 'through')
  const ends = through ?? splitAt(stretch, 'to')
  if (ends === null)
    return wrong(
      stretch,
      'it needs two fields',
      'Write `no overlap of <first field> to <last field>`, with two dates or two moments.',
    )
  const [from, to] = [timeField(context, shape, ends.before), timeField(context, shape, ends.after)]
  if (from === null || to === null) return null
  if (from.kind !== to.kind)
    return wrong(
      stretch,
      'one end is a date, the other a moment',
      'Take two dates or two fields of type `date and time`.',
    )
  if (through !== null && from.kind === 'moment')
    return wrong(
      stretch,
      '`through` takes up the last day, and these are moments',
      'Write `to`: at that moment it is free again.',
    )
  const own = [ends.before.text, ends.after.text].includes(field.key) ? [] : [field.key]
  const named =
    inside === null ? [] : splitCell(inside.after, ',').flatMap(cell => withinField(context, entity, shape, cell))
  const within = [...new Set([...own, ...named])]
  if (within.length === 0 && inside === null)
    return wrong(
      rule.cell,
      'it does not say of what',
      'Write `within <field>`, or write the rule at the field that is taken: the piece, the room.',
    )
  const gap = withGap === null ? noTime : readGap(context, withGap.after, from.kind)
  if (gap === null) return null
  if (withGap !== null && through === null && gap.days > 0) tellDaysBetween(context, ends, withGap, gap.days)
  const overlaps = use('noOverlap', { field: field.key, entity: entity.draft.name })
  return {
    cell: rule.cell,
    begin: ends.before.text,
    end: ends.after.text,
    within,
    gap: through === null ? gap : { ...gap, days: gap.days + 1 },
    while: condition === null ? null : readWhile(context, shape, condition.after, overlaps),
  }
}

/** Days between counted from a last day that is free for the next one: one of them is that last day itself. */
function tellDaysBetween(context: Context, ends: Around, gap: Around, days: number): void {
  const free = `${days - 1} ${days === 2 ? 'day' : 'days'}`
  const stillApart = days === 1 ? '' : ` with ${free} between`
  const through = { span: spanBetween(ends), text: ' through ' }
  const apart = { span: { ...spanBetween(gap), end: gap.after.end }, text: stillApart }
  const fix = { title: `write \`through ${ends.after.text}${stillApart}\``, edits: [through, apart] }
  const { report } = reporter(entityCodes, section, context.found)
  report(
    'N1381',
    gap.after,
    { gap: gap.after.text, end: ends.after.text, free: days === 1 ? 'none' : free, stillApart },
    { fixes: [fix] },
  )
}

/** What stands around a word of a rule. */
interface Around {
  readonly before: Cell
  readonly after: Cell
}

const spanBetween = ({ before, after }: Around): Span => ({ file: before.file, start: before.end, end: after.start })

/** A stored date or moment of the entity. */
function timeField(context: Context, shape: EntityShape, cell: Cell): { readonly kind: 'date' | 'moment' } | null {
  const { report } = reporter(entityCodes, section, context.found)
  const field = shape.fields.get(cell.text)
  if (field === undefined) return noField(context, section, shape, cell)
  const { kind } = field.type
  if ((kind === 'date' || kind === 'moment') && field.computed === undefined) return { kind }
  if (kind !== 'error') {
    const wrong =
      field.computed === undefined ? `\`${cell.text}\` is no date or moment` : `\`${cell.text}\` is computed`
    report('N1323', cell, {
      wrong,
      help: 'Take two dates, or two fields of type `date and time`, that are entered, or worked out once: `copied from starts_at + 20 minutes on create`.',
    })
  }
  return null
}

/** `30 minutes between`; whole days between dates. */
function readGap(context: Context, cell: Cell, kind: 'date' | 'moment'): Duration | null {
  const between = /\s+between$/.exec(cell.text)
  const written = between === null ? cell : trimmed(slice(cell, 0, between.index))
  const of = kind === 'date' ? 'calendar' : 'clock'
  const read = readAt(context, written, { section, entity: null }, { kind: 'duration', of }, use('gap'))
  if (read === null) return null
  const duration = read.root.op === 'literal' ? parseDuration(String(read.root.value)) : null
  if (duration !== null && duration.months === 0 && duration.days >= 0 && duration.milliseconds >= 0) return duration
  const help = kind === 'date' ? 'Write days: `with 1 day between`.' : 'Write a time: `with 30 minutes between`.'
  reporter(entityCodes, section, context.found).report('N1323', written, {
    wrong: `\`${written.text}\` is no gap`,
    help,
  })
  return null
}

/** A condition that a partial index or an exclusion constraint can hold: over the stored fields of the record alone. */
export function readWhile(context: Context, shape: EntityShape, cell: Cell, use: Use): Expression | null {
  const read = readAt(context, cell, { section, entity: shape.key }, yesNo, use)
  if (read === null || read.tier === 0) return read
  const reads = read.reads.filter(path => path.includes('.') || !shape.fields.has(path)).map(path => `\`${path}\``)
  reporter(entityCodes, section, context.found).report('N1322', cell, { reads: reads.join(', ') || 'other records' })
  return null
}

/** A field of the entity, or the entity that a field refers to (the parent, usually). */
export function withinField(context: Context, entity: TypedEntity, shape: EntityShape, cell: Cell): readonly string[] {
  if (shape.fields.has(cell.text)) return [cell.text]
  const named = [...shape.fields.values()].filter(
    ({ type, key }) =>
      key !== 'id' && type.kind === 'reference' && context.schema.get(type.entity)?.name === evened(cell.text),
  )
  const chosen = named.find(({ key }) => key === shape.parent) ?? named[0]
  if (chosen !== undefined) return [chosen.key]
  // The parent could not be read: that is reported where it is named.
  if (entity.draft.partOf !== null && entity.parent === null) return []
  const known = [...shape.fields.keys(), ...(entity.parent === null ? [] : [entity.parent.name])]
  noField(context, section, shape, cell, known)
  return []
}

/** Rules of one field that cannot hold together, or that its type does not know. */
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import type { Type } from '../../expression/type.ts'
import type { FieldKind } from '../../kinds/fields/field-kind.ts'
import type { Context } from '../context.ts'
import { removePiece } from '../names.ts'
import { entityCodes } from './codes.ts'
import { type FieldRule, type FieldRules, type RuleName, withoutOf } from './rules.ts'
import type { FieldDraft, TypedEntity } from './shape.ts'

const filledByPeople: readonly RuleName[] = [
  'required',
  'default',
  'read-only',
  'set by steps only',
  'set by calls only',
  'copied from',
  'unique',
  'pattern',
  'min',
  'max',
  'from',
  'only when',
  'read-only when',
  'choose from',
  'assigned from',
  'no overlap of',
  'types',
  'at most',
]

/** The first of each pair that stands in a field is the one that gives way. */
const contradictions: readonly { readonly one: RuleName; readonly other: RuleName; readonly why: string }[] = [
  ...filledByPeople.map(one => ({ one, other: '=' as const, why: 'a computed field has no value of its own' })),
  ...filledByPeople.map(one => ({ one, other: 'follows' as const, why: 'what is looked up has no value of its own' })),
  { one: 'follows', other: '=', why: 'both say where the value comes from' },
  { one: 'choose from', other: 'assigned from', why: 'what the application chooses is not chosen by people' },
  ...(['default', 'copied from', 'read-only', 'read-only when', 'set by steps only', 'set by calls only'] as const).map(
    one => ({ one, other: 'assigned from' as const, why: 'the application chooses the value' }),
  ),
  { one: 'set by calls only', other: 'set by steps only', why: 'each says that nothing else writes it' },
  { one: 'default', other: 'copied from', why: 'both say what a new record begins with' },
  ...(['copied from', 'read-only', 'set by steps only', 'set by calls only', 'assigned from', 'given on'] as const).map(
    other => ({ one: 'frozen on' as const, other, why: 'nobody enters it anyway' }),
  ),
  { one: 'min', other: 'from', why: 'both say the smallest value' },
  { one: 'max', other: 'from', why: 'both say the largest value' },
  { one: 'display', other: 'hidden', why: 'what names the record is shown' },
  { one: 'searchable', other: 'hidden', why: 'a hidden field is never found by searching' },
]

const ordered: ReadonlySet<Type['kind']> = new Set([
  'integer',
  'decimal',
  'money',
  'date',
  'moment',
  'time',
  'duration',
])
/** Not compared themselves: their letters, rows or names are counted. */
export const counted: ReadonlySet<Type['kind']> = new Set(['text', 'list', 'choices'])

/** Which types a rule goes with, and what to write instead. */
const fits: readonly {
  readonly rules: readonly RuleName[]
  readonly type: (type: Type, kind: FieldKind) => boolean
  readonly help: string
}[] = [
  {
    rules: ['min', 'max', 'from'],
    type: type => ordered.has(type.kind) || counted.has(type.kind),
    help: 'Numbers, amounts, dates and times have bounds; of texts the length is bounded, of lists and several choices the number.',
  },
  { rules: ['pattern'], type: type => type.kind === 'text', help: 'Only texts have a pattern.' },
  {
    rules: ['types', 'at most'],
    type: type => type.kind === 'file',
    help: 'Files and images have kinds and sizes.',
  },
  {
    rules: ['display'],
    type: type => type.kind === 'text',
    help: 'Texts and numbers of a series name a record; where it has none, a text that is worked out: `= text(day)`.',
  },
  { rules: ['searchable'], type: type => type.kind === 'text', help: 'Only texts are searched.' },
  {
    rules: ['unique'],
    type: type => !['list', 'file', 'secret', 'json'].includes(type.kind),
    help: 'Values of one piece are unique: texts, numbers, dates, references.',
  },
  {
    rules: ['=', 'follows', 'set by steps only', 'set by calls only', 'hidden'],
    type: type => type.kind !== 'secret',
    help: 'A secret is typed by people, and read by nobody.',
  },
  {
    rules: ['=', 'follows', 'set by steps only', 'read-only', 'read-only when'],
    type: type => type.kind !== 'json',
    help: 'JSON is written by answers of calls and received messages, and by nothing else.',
  },
  {
    rules: ['choose from'],
    type: (type, { links }) => type.kind === 'reference' || links === true,
    help: 'Only fields whose type is an entity, or several of one, name records that could be chosen.',
  },
  {
    rules: ['assigned from'],
    type: type => type.kind === 'reference',
    help: 'Only fields whose type is an entity name a record that could be chosen. Of several, people choose: `choose from`.',
  },
  {
    rules: ['only when', 'read-only when', 'no overlap of'],
    type: type => type.kind !== 'list',
    help: 'Rows have rules of their own: write it at a field of the row, or under heading 5.',
  },
  {
    rules: ['default', 'copied from'],
    type: type => !['list', 'file', 'secret', 'json'].includes(type.kind),
    help: 'Values of one piece can be given beforehand.',
  },
]

/** Reports what does not go together; gives the rules that are left when what was reported is taken out. */
export function checkRules(context: Context, entity: TypedEntity, field: FieldDraft): FieldRules {
  const left = new Map(field.rules)
  for (const name of checkPairs(context, left)) left.delete(name)
  for (const name of checkTypes(context, left, field)) left.delete(name)
  const { report } = reporter(entityCodes, 3, context.found)
  const refuse = (rule: FieldRule | undefined, help: string) => {
    if (rule === undefined) return
    const parameters = { rule: rule.name, type: field.typeCell.text, help }
    report('N1310', rule.cell, parameters, { fixes: [removePiece(rule.cell)] })
  }
  checkUniqueWithout(context, left.get('unique'), field)
  if (entity.draft.builtIn) refuse(left.get('display'), 'People are named by their `name`.')
  for (const name of ['gapless', 'given on'] as const) {
    if (field.kind.name === 'auto number' || field.type.kind === 'error') break
    refuse(left.get(name), 'Only an `auto number` is a series.')
    left.delete(name)
  }
  if (!field.kind.entered) refuse(left.get('required'), 'The application always fills it.')
  if (field.kind.links) checkLinks(context, entity, field)
  else if (field.type.kind === 'list') checkList(context, entity, field)
  return left
}

/** Rules that say the contrary of another one; gives those that were reported. */
function checkPairs(context: Context, all: FieldRules): readonly RuleName[] {
  const { report } = reporter(entityCodes, 3, context.found)
  const taken = new Set<RuleName>()
  if (all.size < 2) return []
  for (const { one, other, why } of contradictions) {
    const [first, second] = [one, other].map(name => (taken.has(name) ? undefined : all.get(name)))
    if (first === undefined || second === undefined) continue
    const fixes = [removePiece(first.cell, `take out \`${first.cell.text}\``)]
    const related = [{ span: second.cell, message: 'the other one' }]
    report('N1308', first.cell, { first: one, second: other, why }, { related, fixes })
    taken.add(one)
  }
  return [...taken]
}

/** Rules that fields of this type cannot have; gives those that were reported. */
function checkTypes(context: Context, left: FieldRules, { type: of, kind, typeCell }: FieldDraft): readonly RuleName[] {
  const { report } = reporter(entityCodes, 3, context.found)
  if (of.kind === 'error') return []
  return fits
    .filter(({ type }) => !type(of, kind))
    .flatMap(({ rules, help }) =>
      rules.flatMap(name => {
        const rule = left.get(name)
        if (rule === undefined) return []
        const parameters = { rule: name, type: typeCell.text, help }
        report('N1310', rule.cell, parameters, { fixes: [removePiece(rule.cell)] })
        return [name]
      }),
    )
}

function checkUniqueWithout(context: Context, unique: FieldRule | undefined, { type, typeCell }: FieldDraft): void {
  if (unique === undefined || ['text', 'error'].includes(type.kind)) return
  const { without, rest } = withoutOf(unique.argument)
  if (without === null) return
  const parameters = {
    rule: `unique without ${without}`,
    type: typeCell.text,
    help: 'Only texts have capitals: write `unique`.',
  }
  const instead = rest.text === '' ? 'unique' : `unique ${rest.text}`
  reporter(entityCodes, 3, context.found).report('N1310', unique.cell, parameters, {
    fixes: [writeInstead(unique.cell, instead)],
  })
}

/** Links stand in a table of their own, named by the entity and the field. */
function checkLinks(context: Context, entity: TypedEntity, field: FieldDraft): void {
  const { report } = reporter(entityCodes, 3, context.found)
  const { key } = entity.draft
  const table = `${key}_${field.key}`
  const target = field.type.kind === 'list' ? context.entityByKey.get(field.type.entity) : undefined
  const why =
    target !== undefined && target.partOf !== null
      ? `${target.name} are rows of another record: write \`list of ${target.name}\` there`
      : context.entityByKey.has(table)
        ? `its table would be named \`${table}\`, as that of another entity`
        : table.length > 63
          ? `the name of its table, \`${table}\`, would be longer than 63 letters`
          : null
  if (why !== null) report('N1333', field.typeCell, { type: field.typeCell.text, why })
}

/** A list shows the rows that are part of this entity. */
function checkList(context: Context, entity: TypedEntity, field: FieldDraft): void {
  if (field.type.kind !== 'list') return
  const child = context.entityByKey.get(field.type.entity)
  if (child === undefined || (child.partOf !== null && context.schema.get(child.key)?.parent === entity.draft.key))
    return
  const { report } = reporter(entityCodes, 3, context.found)
  const { name, partOf } = child
  const instead =
    partOf === null
      ? `Write the heading as \`### ${name} (part of ${entity.draft.name})\`, or \`several ${name}\` for links to records of their own.`
      : `Name their ${partOf.text} here, in a field of that type: its page lists them, and expressions reach them through it, as in \`count(order.lines where …)\`.`
  report('N1316', field.typeCell, { entity: name, parent: entity.draft.name, instead })
}

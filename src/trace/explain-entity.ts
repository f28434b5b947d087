/** What `explain` says of an entity, its fields, and the steps of its workflow. */
import type { Expression } from '../expression/expression.ts'
import { keepable, keptColumn, keptOf } from '../expression/kept-columns.ts'
import { recordFace } from '../headings/3-entities/face.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { titleFields } from '../headings/3-entities/titles.ts'
import type { Transition } from '../headings/4-states/model.ts'
import { linesOf } from '../headings/6-permissions/lines.ts'
import type { Access } from '../headings/6-permissions/model.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { keptBy } from '../store/kept-columns.ts'
import { shortName } from '../store/names.ts'
import { sayNeverDo, sayNevers, sayRoles, sayRow } from './explain-access.ts'
import { sayApproval } from './explain-approvals.ts'
import { ruleLines } from './explain-rules.ts'
import { askedCode, whole } from './explain-tiers.ts'
import { list, place, sayAct, sayExpression, type Thing, titleOf, written } from './words.ts'

/** An entity and each of its fields. */
export function entityThings(app: App, entity: Entity): Thing[] {
  return [
    {
      names: [entity.name, entity.key],
      title: `entity ${entity.name}`,
      cell: entity.cell,
      lines: () => entityLines(app, entity),
    },
    ...entity.fields.map(field => fieldThing(app, entity, field)),
  ]
}

/** A line where there is something to say, with the place of what says so. */
const said = <T>(what: T | null, line: (what: T) => string): string[] => (what === null ? [] : [line(what)])

function entityLines(app: App, entity: Entity): string[] {
  const { key, order } = entity
  const [first] = order
  const ordered = order.map(({ field, descending }) => `${field}${descending ? ' down' : ''}`).join(', ')
  const elsewhere =
    entity.table === null
      ? ''
      : `, or ${entity.table.text} of another application where the database has it (${place(entity.table)})`
  return [
    `  Table ${key}${elsewhere}. People know a record by its ${entity.title.join(' and ')}.`,
    ...sayAccess(app.access.get(key)),
    ...sayNevers(app, key),
    ...said(
      entity.appendOnly,
      cell =>
        `  A record stays as it is once it is there: the trigger ${shortName(key, 'append_only')} of the database refuses every change and deletion; only what is personal is erased (${place(cell)}).`,
    ),
    ...said(entity.frozen, ({ cell }) => `  Nobody changes or deletes a record that is ${cell.text} (${place(cell)}).`),
    ...said(
      entity.archives,
      cell => `  What is deleted is archived: whoever may Delete can bring it back (${place(cell)}).`,
    ),
    ...said(entity.keep, ({ cell }) => `  Keep: ${cell.text} (${place(cell)}).`),
    ...entity.marks.map(
      ({ name, where, tone, cell }) =>
        `  Marked ${name.text} (${tone}) while ${written(where)}, for those who see all that it reads (${place(cell)}).`,
    ),
    ...sayFace(app, entity),
    ...said(first ?? null, ({ cell }) => `  Order: ${ordered} (${place(cell)}).`),
    ...said(
      entity.signInWhen,
      when =>
        `  Only people for whom ${written(when)} holds can sign in; anybody else is out with their next request (${place(when.cell)}).`,
    ),
    ...said(
      entity.readLog,
      cell => `  Each time a record is shown to somebody, that is written down (${place(cell)}).`,
    ),
    ...sayComments(entity),
    ...said(
      entity.timeline,
      roles => `  Timeline: ${sayRoles(roles)} (${place(roles.cell)}). To anybody else a record is as it is now.`,
    ),
    ...said(
      entity.once,
      field => `  Over the API, what has the same ${field} is made once; a repeat is answered as the first was.`,
    ),
    ...said(entity.refused, roles => `  Refused attempts are kept, for ${sayRoles(roles)} (${place(roles.cell)}).`),
  ]
}

function sayAccess(access: Access | undefined): string[] {
  if (access?.basis === 'written')
    return access.rows.map(row => `  ${row.role}: ${sayRow(row, access)} (${place(row.cell)})`)
  return [`  Heading 6 does not mention it${access?.basis === 'parent' ? ': it follows its parent' : ''}.`]
}

function sayComments({ comments, partOf }: Entity): string[] {
  if (comments !== null) return [`  Comments: ${sayRoles(comments)} (${place(comments.cell)}).`]
  return partOf === null
    ? ['  Comments: whoever is signed in and sees the record. `- **Comments:** none`, or roles, would say otherwise.']
    : []
}

function fieldThing(app: App, entity: Entity, field: Field): Thing {
  return {
    names: [`${entity.name}.${field.key}`, `${entity.key}.${field.key}`, field.key],
    title: `field ${field.key} of ${entity.name}`,
    cell: field.cell,
    lines: () => fieldLines(app, entity, field),
  }
}

function fieldLines(app: App, entity: Entity, field: Field): string[] {
  const neverEmpty = field.computed === null ? ', never empty (NOT NULL in the database)' : ', never empty'
  return [
    `  ${field.typeCell.text}${field.optional ? '' : neverEmpty}.`,
    ...(field.type.kind === 'file' ? sayFiles(field) : []),
    ...(field.computed === null ? [] : sayComputed(app, entity, field.key, field.computed)),
    ...said(field.copiedFrom, from =>
      field.renewed
        ? `  Worked out by code whenever the record is written, and stored: ${written(from)}`
        : `  Copied from ${written(from)} when the record is made, and kept.`,
    ),
    ...said(field.setBy, ({ who, cell }) => `  Set by ${who} only (${place(cell)}).`),
    ...said(
      field.readOnly,
      ({ after, cell }) => `  Read-only${after === 'create' ? ' after create' : ''} (${place(cell)}).`,
    ),
    ...ruleLines(field),
    ...sayTree(app, entity, field),
    ...(fieldKind(field.kind).sealed
      ? ['  A secret: its hash is stored (argon2id), and nothing reads it. The history says that it was changed.']
      : []),
    ...said(field.hidden, cell => `  Hidden: in no screen, list, export or API (${place(cell)}).`),
    ...sayWho(app, entity, field),
  ]
}

function sayTree({ trees }: App, { key, table }: Entity, field: Field): string[] {
  const tree = trees.get(key)
  if (tree?.field !== field.key) return []
  const why = tree.cell === field.cell ? 'its name says that it leads upwards' : `\`${tree.cell.text}\` climbs it`
  const where = table === null ? '' : ', in a table of Ninefold'
  return [
    `  Never in a circle, because ${why} (${place(tree.cell)}): checked under a lock, one write after another; the trigger ${shortName(key, field.key, 'tree')} of the database refuses it too, whoever writes${where}.`,
  ]
}

function sayWho({ access }: App, { key }: Entity, field: Field): string[] {
  const lines = linesOf(access.get(key), field.key)
  if (lines.length === 0) return ['  Who may see it: whoever may see the record.']
  return lines.flatMap(({ see, change, when, cell }) => [
    `  Who may see it: ${sayRoles(see, 'on the records that their role sees')} (${place(cell)}).`,
    ...said(change, roles => `  Who may change it: ${sayRoles(roles, 'on the records that their role may change')}.`),
    ...said(when, holds => `  Only where ${sayExpression(holds)}.`),
  ])
}

function sayComputed(app: App, { key: entity }: Entity, field: string, computed: Expression): string[] {
  const kept = keptOf(app.schema, entity, field)
  if (kept === null)
    return [
      `  Computed wherever it is read: ${written(computed)}`,
      ...(keepable(app.schema, entity, field) === null
        ? []
        : ['  If a list named it among its columns, or sorted by it, the database would keep it in a column.']),
    ]
  const rows = [...kept.rows.keys()]
  const names = rows.map(one => app.entities.get(one)?.name ?? one).join(' and ')
  return [
    `  Computed: ${written(computed)}`,
    `  Many records are asked for it at once, so the database keeps it in the column ${keptColumn(field)}, and ${rows.map(keptBy).join(', ')} works it out whenever a ${names} comes, changes or goes.`,
  ]
}

function sayFiles({ types, most }: Field): string[] {
  const kinds = types === null ? 'any kind of file' : `${types.names.join(', ')} (${place(types.cell)})`
  const limit = most === null ? 'the limit max_file_size' : `${most.shown} (${place(most.cell)})`
  return [
    `  Takes ${kinds}, judged by its content, up to ${limit}; anything else is refused while it is being sent.`,
    '  The column names the file; its content lies in the file store, and whoever sees the field may download it.',
  ]
}

/** A step: from where to where, who takes it, when it is open, and what follows. */
export function stepThing(app: App, entity: Entity, step: Transition): Thing {
  return {
    names: [step.name, `${entity.name}.${step.name}`, `${entity.key}.${step.key}`],
    title: `step ${step.name} of ${entity.name}`,
    cell: step.cell,
    lines: () => {
      const grants = app.access
        .get(entity.key)
        ?.rows.filter(({ do: may }) => !isUnspecified(may) && (may.steps === 'all' || may.steps.includes(step.key)))
      return [
        `  From ${specified(step.from)?.join(', ') ?? 'unspecified'} to ${specified(step.to) ?? 'unspecified'}.`,
        `  Who: ${isUnspecified(step.who) ? 'unspecified, so nobody' : step.who.cell.text}; heading 6 must allow it too, and allows ${list(grants?.map(({ role, cell }) => `${role} (${place(cell)})`) ?? [])}.`,
        ...(step.when === null ? [] : [`  Open when ${sayExpression(step.when)}. Unknown counts as closed.`]),
        ...step.asks.map(
          ({ cell, field, required }) =>
            `  Asks for ${field}${required ? ', which must be given with it' : ''} (${place(cell)}).`,
        ),
        ...sayNeverDo(app.access.get(entity.key), step.key),
        '  Decided by the database, in the statement that moves the record: if two people take it at once, one is refused.',
        ...whole(step.when),
        ...askedCode(step.when),
        ...(step.error === null
          ? []
          : [
              `  Refused with ${specified(step.error) ?? 'a built-in code: unspecified'} where Who or When does not hold.`,
            ]),
        ...step.elsewhere.map(
          ({ error, states, cell }) =>
            `  Refused with ${error} in ${states === null ? 'other states that it does not lead from' : states.join(', ')} (${place(cell)}).`,
        ),
        ...(app.workflows.get(entity.key)?.approvals ?? [])
          .filter(approval => approval.step === step.key)
          .map(approval => `  Waits for ${approval.name}: ${sayApproval(approval)} (${place(approval.cell)}).`),
        ...step.then.map(sayAct),
        ...app.effects
          .filter(({ entity: of, on }) => of === entity.key && on.includes(step.key))
          .map(effect => `  Then the effect at ${place(effect.cell)}: ${titleOf(app, effect)}.`),
      ]
    },
  }
}

/** What stands for a record among others, and what of it nobody wrote. */
function sayFace(app: App, entity: Entity): readonly string[] {
  const { facts, person, date, picture } = recordFace(app, entity.key)
  const parts = [
    `called by ${list(titleFields(entity)) ?? 'its last six signs'}`,
    ...(facts.length === 0 ? [] : [`facts ${facts.join(', ')}`]),
    ...(person === null ? [] : [`person ${person}`]),
    ...(date === null ? [] : [`date ${date.field}${date.due ? ', past which it is late' : ''}`]),
    ...(picture === null ? [] : [`picture ${picture}`]),
  ]
  const where = entity.face === null ? 'derived' : place(entity.face.cell)
  return [`  Face: ${parts.join('; ')} (${where}).`]
}

/** What `explain` says of an entity, its fields, and the steps of its workflow. */
import type { Expression } from '../expression/expression.ts'
import { keepable, keptColumn, keptOf } from '../expression/kept-columns.ts'
import { recordFace } from '../headings/3-entities/face.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { titleFields } from '../headings/3-entities/titles.ts'
import type { Transition } from '../headings/4-states/model.ts'
import { linesOf } from '../headings/6-permissions/lines.ts'
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
  const access = app.access.get(entity.key)
  return [
    {
      names: [entity.name, entity.key],
      title: `entity ${entity.name}`,
      cell: entity.cell,
      lines: () => [
        `  Table ${entity.key}${entity.table === null ? '' : `, or ${entity.table.text} of another application where the database has it (${place(entity.table)})`}. People know a record by its ${entity.title.join(' and ')}.`,
        ...(access === undefined || access.basis !== 'written'
          ? [`  Heading 6 does not mention it${access?.basis === 'parent' ? ': it follows its parent' : ''}.`]
          : access.rows.map(row => `  ${row.role}: ${sayRow(row, access)} (${place(row.cell)})`)),
        ...sayNevers(app, entity.key),
        ...(entity.appendOnly === null
          ? []
          : [
              `  A record stays as it is once it is there: the trigger ${shortName(entity.key, 'append_only')} of the database refuses every change and deletion; only what is personal is erased (${place(entity.appendOnly)}).`,
            ]),
        ...(entity.frozen === null
          ? []
          : [
              `  Nobody changes or deletes a record that is ${entity.frozen.cell.text} (${place(entity.frozen.cell)}).`,
            ]),
        ...(entity.archives === null
          ? []
          : [`  What is deleted is archived: whoever may Delete can bring it back (${place(entity.archives)}).`]),
        ...(entity.keep === null ? [] : [`  Keep: ${entity.keep.cell.text} (${place(entity.keep.cell)}).`]),
        ...entity.marks.map(
          ({ name, where, tone, cell }) =>
            `  Marked ${name.text} (${tone}) while ${written(where)}, for those who see all that it reads (${place(cell)}).`,
        ),
        ...sayFace(app, entity),
        ...(entity.order.length === 0
          ? []
          : [
              `  Order: ${entity.order.map(({ field, descending }) => `${field}${descending ? ' down' : ''}`).join(', ')} (${place(entity.order[0]!.cell)}).`,
            ]),
        ...(entity.signInWhen === null
          ? []
          : [
              `  Only people for whom ${written(entity.signInWhen)} holds can sign in; anybody else is out with their next request (${place(entity.signInWhen.cell)}).`,
            ]),
        ...(entity.readLog === null
          ? []
          : [`  Each time a record is shown to somebody, that is written down (${place(entity.readLog)}).`]),
        ...(entity.comments !== null
          ? [`  Comments: ${sayRoles(entity.comments)} (${place(entity.comments.cell)}).`]
          : entity.partOf === null
            ? [
                '  Comments: whoever is signed in and sees the record. `- **Comments:** none`, or roles, would say otherwise.',
              ]
            : []),
        ...(entity.timeline === null
          ? []
          : [
              `  Timeline: ${sayRoles(entity.timeline)} (${place(entity.timeline.cell)}). To anybody else a record is as it is now.`,
            ]),
        ...(entity.refused === null
          ? []
          : [`  Refused attempts are kept, for ${sayRoles(entity.refused)} (${place(entity.refused.cell)}).`]),
      ],
    },
    ...entity.fields.map(field => fieldThing(app, entity, field)),
  ]
}

function fieldThing(app: App, entity: Entity, field: Field): Thing {
  return {
    names: [`${entity.name}.${field.key}`, `${entity.key}.${field.key}`, field.key],
    title: `field ${field.key} of ${entity.name}`,
    cell: field.cell,
    lines: () => {
      const lines = linesOf(app.access.get(entity.key), field.key)
      const tree = app.trees.get(entity.key)
      return [
        `  ${field.typeCell.text}${field.optional ? '' : `, never empty${field.computed === null ? ' (NOT NULL in the database)' : ''}`}.`,
        ...(field.type.kind !== 'file' ? [] : sayFiles(field)),
        ...(field.computed === null ? [] : sayComputed(app, entity, field.key, field.computed)),
        ...(field.copiedFrom === null
          ? []
          : [
              field.renewed
                ? `  Worked out by code whenever the record is written, and stored: ${written(field.copiedFrom)}`
                : `  Copied from ${written(field.copiedFrom)} when the record is made, and kept.`,
            ]),
        ...(field.setBy === null ? [] : [`  Set by ${field.setBy.who} only (${place(field.setBy.cell)}).`]),
        ...(field.readOnly === null
          ? []
          : [
              `  Read-only${field.readOnly.after === 'create' ? ' after create' : ''} (${place(field.readOnly.cell)}).`,
            ]),
        ...ruleLines(field),
        ...(tree?.field === field.key
          ? [
              `  Never in a circle, because ${tree.cell === field.cell ? 'its name says that it leads upwards' : `\`${tree.cell.text}\` climbs it`} (${place(tree.cell)}): checked under a lock, one write after another; the trigger ${shortName(entity.key, field.key, 'tree')} of the database refuses it too, whoever writes${entity.table === null ? '' : ', in a table of Ninefold'}.`,
            ]
          : []),
        ...(fieldKind(field.kind).sealed
          ? ['  A secret: its hash is stored (argon2id), and nothing reads it. The history says that it was changed.']
          : []),
        ...(field.hidden === null ? [] : [`  Hidden: in no screen, list, export or API (${place(field.hidden)}).`]),
        ...(lines.length === 0 ? ['  Who may see it: whoever may see the record.'] : []),
        ...lines.flatMap(({ see, change, when, cell }) => [
          `  Who may see it: ${sayRoles(see, 'on the records that their role sees')} (${place(cell)}).`,
          ...(change === null
            ? []
            : [`  Who may change it: ${sayRoles(change, 'on the records that their role may change')}.`]),
          ...(when === null ? [] : [`  Only where ${sayExpression(when)}.`]),
        ]),
      ]
    },
  }
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

/** Mutants of what `keys.md` says, and few examples do: values of new records, figures, files, archives, days without work. */
import { edit, faults } from '../faults.ts'
import type { Mutant } from './mutant.ts'

const on = 'keys'

export const keysMutants: Readonly<Record<string, Mutant>> = {
  'defaults are forgotten': {
    kind: 'new records',
    edits: [edit('run/write/fill.ts', 'const expression = copiedFrom ?? preset', 'const expression = copiedFrom')],
    on,
  },
  'copies are empty': {
    kind: 'new records',
    edits: [edit('run/write/fill.ts', 'const expression = copiedFrom ?? preset', 'const expression = preset')],
    on,
  },
  'a new record begins at its end': {
    kind: 'new records',
    edits: [edit('run/write/fill.ts', 'row.state = startOf(workflow)', 'row.state = workflow.states.at(-1)!.name')],
    on,
  },
  'new records are not in the history': {
    kind: 'history',
    edits: [
      edit(
        'run/write/write.ts',
        'await insertRecord(tx, app, request, entity, record, waits ? null : entry)',
        'await insertRecord(tx, app, request, entity, record, null)',
      ),
    ],
    on,
  },
  'the history names nobody': {
    kind: 'history',
    edits: [edit('run/read/history.ts', "'h.actor': request.actor.id,", "'h.actor': null,")],
    on,
  },
  'two records have what is unique': {
    kind: 'bounds',
    edits: [
      edit('store/schema.ts', '...uniques.flatMap(field => uniqueConstraint(app, entity, field)),', ''),
      edit('store/schema.ts', '...uniques.flatMap(field => uniqueIndex(app, entity, field)),', ''),
      edit(
        'run/write/conflicts.ts',
        '  if (unique === null) return false',
        '  if (unique !== null || key !== null) return false',
      ),
    ],
    on,
  },
  'what may be chosen is not asked': {
    kind: 'rules',
    edits: [
      edit(
        'run/write/conflicts.ts',
        '  const ids = chosenAnew(one, field)\n  if (ids.length === 0) return []\n  const { entity, row, prefix } = one\n  const { cell',
        '  const ids = chosenAnew(one, field)\n  if (ids.length >= 0) return []\n  const { entity, row, prefix } = one\n  const { cell',
      ),
    ],
    on,
  },
  'a step asks for nothing': {
    kind: 'steps',
    edits: [edit('run/write/asks.ts', 'return held === null ? required : ', 'return held === null ? false : ')],
  },
  'nothing follows from what happened': {
    kind: 'effects',
    edits: [
      edit(
        'run/write/domain-events.ts',
        'return isIt || isChange ? [',
        'return (isIt || isChange) && happening === null ? [',
      ),
    ],
    on,
  },
  'files are not opened': {
    kind: 'files',
    edits: [
      edit(
        'web/routes/files.ts',
        "isFile && typeof value === 'string' ? heldFile(value) : null",
        "isFile && typeof value === 'boolean' ? heldFile(value) : null",
      ),
    ],
    on,
  },
  'figures count what one may not see': {
    kind: 'figures',
    edits: [
      edit(
        'run/read/figures.ts',
        '    shownRows(policy, entity, where, as),',
        "    ...(where === null ? [] : [whereSql(where, 't')]),",
      ),
    ],
    on,
  },
  'figures forget their condition': {
    kind: 'figures',
    edits: [
      edit(
        'run/read/figures.ts',
        "    ...[of, where].map(one => (one === null ? true : readable(app, policy, one.root, 't'))),\n    ...(where === null ? [] : [whereSql(where, 't')]),",
        "    ...[of].map(one => (one === null ? true : readable(app, policy, one.root, 't'))),",
      ),
    ],
    on,
  },
  'what is archived stands among the others': {
    kind: 'lists',
    edits: faults['archived records stand among the others']!,
    on,
  },
  'what nobody may is let through': { kind: 'permissions', edits: faults['what nobody may is forgotten']!, on },
  'a change may lead anywhere': {
    kind: 'permissions',
    edits: [
      edit(
        'run/access/policy.ts',
        "anyOf([byRoles(entity, 'change', alias), leadsTo(entity, leading, alias)]),",
        'true,',
      ),
    ],
    on,
  },
  'When of a field is not asked': {
    kind: 'fields',
    edits: [
      edit(
        'run/access/policy.ts',
        'when === null || (!isUnspecified(when) && whereSql(when, alias))',
        'when === null || !isUnspecified(when)',
      ),
    ],
    on,
  },
  'a call sends empty values': {
    kind: 'mails and calls',
    edits: [
      edit(
        'run/later/outbox.ts',
        ': sentAs(from.type, await workedOut(tx, app, request, related, from, named))',
        ": sentAs(from.type, typeof name === 'string' ? '' : await workedOut(tx, app, request, related, from, named))",
      ),
    ],
    on,
  },
  'there is work on closed days': {
    kind: 'timers',
    edits: [
      edit(
        'run/later/recurrence.ts',
        'hours: workingTime?.hours ?? null,\n  closed,',
        'hours: workingTime?.hours ?? null,\n  closed: closed.slice(0, 0),',
      ),
    ],
    on,
  },
  'working days count closed days': {
    kind: 'expressions',
    edits: [
      edit(
        'expression/calendar.ts',
        '- (week.closed ? closedUpTo(closed, day) : 0)',
        '- (week.closed ? closedUpTo(closed, 0) : 0)',
      ),
    ],
    on,
  },

  'timers are armed in every state': {
    kind: 'timers',
    edits: [
      edit(
        'run/later/timers.ts',
        'if (timer.while?.includes(record.state as string) === false && !stands(timer, record)) return null',
        "if (timer.while?.includes(record.state as string) === false && timer.key === '') return null",
      ),
    ],
  },
  'every screen is for everybody': {
    kind: 'screens',
    edits: [
      edit(
        'web/access.ts',
        "if (screen.for.kind === 'everyone') return true",
        'if (screen.for.cell.text !== null) return true',
      ),
    ],
  },
  'and is or, in JavaScript': {
    kind: 'expressions',
    edits: [
      edit(
        'expression/evaluate.ts',
        "case 'and':\n      return junction(node.parts, false, place)",
        "case 'and':\n      return junction(node.parts, true, place)",
      ),
    ],
    on,
  },
  'days are taken from dates instead of added, in SQL': {
    kind: 'expressions',
    edits: [
      edit(
        'expression/to-sql.ts',
        'return shiftDate(from, node.sign, by, node.right)',
        "return shiftDate(from, node.sign === '+' ? '-' : '+', by, node.right)",
      ),
    ],
    on: 'absence-desk',
  },
}

/** Mutants of what is said at the rim: timers that fire, inboxes, cards, homes, languages, numbers, files, what answers say. */
import { edit } from '../faults.ts'
import type { Mutant } from './mutant.ts'

const absence = 'absence-desk'

export const widerMutants: Readonly<Record<string, Mutant>> = {
  'what a timer sets is lost': {
    kind: 'timers',
    edits: [
      edit(
        'run/later/fire.ts',
        'const set = await setFields(scope, { entity, record, old: null, this: null }, timer.then)',
        'const set = await setFields(scope, { entity, record, old: null, this: null }, [])',
      ),
    ],
    on: absence,
  },
  'an inbox shows what others decide': {
    kind: 'screens',
    edits: [
      edit(
        'run/read/inbox.ts',
        'const open = of === entity ? openTo(app, policy, entity, step) : false',
        'const open = of === entity',
      ),
    ],
  },
  'cards leave out their fields': {
    kind: 'screens',
    edits: [
      edit(
        'kinds/screens/board/build.ts',
        'const shown = need.columns.filter(column => data.columns.includes(column))',
        'const shown = need.columns.filter(column => data.columns.length < 0 && column)',
      ),
    ],
  },
  'no screen is a home': {
    kind: 'screens',
    edits: [edit('web/access.ts', 'return own ?? (actor.id', 'return (own === null ? own : null) ?? (actor.id')],
    on: 'equipment-desk',
  },
  'empty lists say something else': {
    kind: 'screens',
    edits: [
      edit(
        'web/screens/table.ts',
        'title: emptyText?.text ?? noneOf(',
        'title: (emptyText === null ? null : null) ?? noneOf(',
      ),
    ],
    on: 'keys',
  },
  'other languages are not translated': {
    kind: 'languages',
    edits: [
      edit(
        'headings/translate.ts',
        '  const word = (text: string): string => texts.get(text)?.words.text ?? text',
        '  const word = (text: string): string => text',
      ),
    ],
    on: absence,
  },
  'new records take what steps set': {
    kind: 'fields',
    edits: [
      edit(
        'run/access/settable.ts',
        'if (field.setBy !== null) return',
        "if (field.setBy !== null && verb === 'change') return",
      ),
    ],
  },
  'numbers have no picture': {
    kind: 'new records',
    edits: [
      edit(
        'run/write/numbers.ts',
        'record[key] = formatNumber(picture, last - BigInt(records.length - 1 - index), request.today)',
        'record[key] = String(last - BigInt(records.length - 1 - index))',
      ),
    ],
  },
  'records overlap': {
    kind: 'rules',
    edits: [
      edit(
        'run/write/conflicts.ts',
        'if (rule === null) return false\n  if ([rule.begin',
        'if (rule !== undefined) return false\n  if ([rule!.begin',
      ),
      edit('store/schema.ts', '...stored.flatMap(field => overlapConstraint(entity, field)),', ''),
    ],
    on: absence,
  },
  'a new record loses its last row': {
    kind: 'new records',
    edits: [
      edit(
        'run/write/input.ts',
        'draft[key] = takeRows(app, request, policy, of, rows, gathered)',
        "draft[key] = takeRows(app, request, policy, of, rights.verb === 'create' ? rows.slice(0, -1) : rows, gathered)",
      ),
    ],
    on: 'purchasing',
  },
  'sums are the largest, in SQL': {
    kind: 'expressions',
    edits: [edit('expression/to-sql-aggregates.ts', 'coalesce(sum(', 'coalesce(max(')],
    on: absence,
  },
  'answers say texts in capitals': {
    kind: 'doors',
    edits: [
      edit(
        'web/api/json.ts',
        ': kind.toJson(given, field!.parameters)',
        ": field!.kind === 'text' ? String(given).toUpperCase() : kind.toJson(given, field!.parameters)",
      ),
    ],
  },
  'steps are offered that cannot be taken': {
    kind: 'doors',
    edits: [edit('web/api/json.ts', 'row.may.steps.filter(({ open }) => open).map(', 'row.may.steps.map(')],
  },
  'refusals have another status': {
    kind: 'errors',
    edits: [
      edit(
        'web/write.ts',
        'problems[0]?.status ?? 422',
        '(problems[0]?.status === 422 ? 409 : problems[0]?.status) ?? 422',
      ),
    ],
  },
  'sample data is a day late': {
    kind: 'new records',
    edits: [
      edit(
        'run/many/seed.ts',
        'values[key] = reckon(work, reckoned)',
        'values[key] = reckon(work, { ...reckoned, workingDays: reckoned.workingDays + 1 })',
      ),
    ],
  },
  'totals are too much': {
    kind: 'figures',
    edits: [edit('run/read/figures.ts', 'const sum = sql`sum(', 'const sum = sql`1000 + sum(')],
    on: 'keys',
  },
  'groups say more than they have': {
    kind: 'lists',
    edits: [edit('web/screens/table-groups.ts', 'format.count(Number(count))', 'format.count(Number(count) + 1)')],
    on: 'keys',
  },
  'files of any size are taken': {
    kind: 'files',
    edits: [
      edit('run/write/validate.ts', 'most !== null && size > most.bytes', 'most !== null && size > 1000 * most.bytes'),
    ],
    on: 'keys',
  },
  'files of any kind are taken': {
    kind: 'files',
    edits: [
      edit(
        'run/write/validate.ts',
        'if (types === null || type === waiting ||',
        'if (types === null || type !== waiting ||',
      ),
    ],
    on: 'keys',
  },
  'effects make empty records': {
    kind: 'effects',
    edits: [
      edit(
        'run/write/effects.ts',
        'const values = await valuesOf(fresh(round), named, entity, act.values)',
        'const values = await valuesOf(fresh(round), named, entity, act.values.slice(0, -1))',
      ),
    ],
    on: 'equipment-desk',
  },
  'whoever sees brings back': {
    kind: 'permissions',
    edits: [
      edit(
        'run/access/policy.ts',
        "allOf([open(entity, 'delete', alias), archivedSql(alias)])",
        "allOf([open(entity, 'see', alias), archivedSql(alias)])",
      ),
    ],
    on: 'keys',
  },
}

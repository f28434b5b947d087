/** Mutants of what is looked for and compared: searches and orders, files, figures of other days, the past of a record. */
import { edit } from '../faults.ts'
import type { Mutant } from './mutant.ts'

export const findingMutants: Readonly<Record<string, Mutant>> = {
  'one of the words is enough to find something': {
    kind: 'searches',
    edits: [
      edit(
        'run/read/filter.ts',
        'return allOf(looked.map(word => anyOf([own',
        'return anyOf(looked.map(word => anyOf([own',
      ),
    ],
  },
  'a search minds capital letters': {
    kind: 'searches',
    edits: [
      edit(
        'run/read/filter.ts',
        "sql`ninefold.fold(${text}) like '%' || ninefold.fold(${looked}::text) || '%'`",
        "sql`${text} like '%' || ${looked}::text || '%'`",
      ),
    ],
  },
  'what is empty is not found by is not': {
    kind: 'lists',
    edits: [edit('run/read/filter.ts', ': sql`${field} is distinct from ${value}`', ': sql`${field} <> ${value}`')],
  },
  'the search leads to what refers to somebody': {
    kind: 'doors',
    edits: [
      edit(
        'run/read/search.ts',
        "const seen = allOf([rows, policy.field(entity, key, 't')])",
        "const seen = policy.field(entity, key, 't')",
      ),
    ],
  },
  'files leave out amounts': {
    kind: 'files',
    edits: [
      edit(
        'web/screens/export.ts',
        "if (wire === null || wire === undefined || typeof wire === 'object') return null",
        "if (wire === null || wire === undefined || typeof wire === 'object' || info.type.kind === 'money') return null",
      ),
    ],
  },
  'pages do not tell the state before': {
    kind: 'history',
    edits: [
      edit(
        'run/read/history.ts',
        "found.push({ field: 'state', before: entry.from_state, after: entry.to_state })",
        "found.push({ field: 'state', before: null, after: entry.to_state })",
      ),
    ],
  },
  'a period that runs is compared with a whole one': {
    kind: 'figures',
    edits: [
      edit(
        'kinds/screens/cards/period.ts',
        '{ from: same.from, to: Math.min(same.to, same.from + (now.to - now.from)) }',
        'same',
      ),
    ],
    on: 'loan-desk',
  },
  'only the first list of what refers to a record is there': {
    kind: 'screens',
    edits: [
      edit(
        'web/screens/related.ts',
        'chosen?.flatMap(one => all.filter(list => list.entity === one.entity)) ??\n    all.filter',
        'chosen?.flatMap(one => all.filter(list => list.entity === one.entity)) ??\n    all.slice(0, 1).filter',
      ),
    ],
    on: 'equipment-desk',
  },
  'choices are sorted by their letters': {
    kind: 'lists',
    edits: [
      edit(
        'run/read/order.ts',
        "sql: sql`array_position(${type.options}::text[], ${value})`,\n        type: { kind: 'integer' } as const,",
        "sql: collated(value),\n        type: { kind: 'text' } as const,",
      ),
    ],
    on: 'absence-desk',
  },
  'lists are sorted by one field alone': {
    kind: 'lists',
    edits: [edit('run/read/order.ts', 'const maximumKeys = 4', 'const maximumKeys = 1')],
    on: 'loan-desk',
  },
}

/** Mutants that somebody invented who had not seen the others: what people are told, what a record keeps, and what leaves. */
import { edit } from '../faults.ts'
import type { Mutant } from './mutant.ts'

export const concerningMutants: Readonly<Record<string, Mutant>> = {
  'comments are told to nobody who follows': {
    kind: 'notices',
    edits: [
      edit(
        'run/people/commenting.ts',
        'const people = [...new Set([...mentioned, ...talking])]',
        'const people = [...new Set(mentioned)]',
      ),
    ],
  },
  'who is put down for something is not told': {
    kind: 'notices',
    edits: [edit('run/people/news-told.ts', '    ...(await named(tx, app, request, entity, entries)),\n', '')],
    on: 'keys',
  },
  'where something went is not told': {
    kind: 'notices',
    edits: [edit('run/people/news-told.ts', '    ...(await moved(tx, app, request, entity, entries)),\n', '')],
  },
  'who is to decide is not told': {
    kind: 'notices',
    edits: [edit('run/people/news-told.ts', '    ...(await asked(tx, app, request, entity, entries)),\n', '')],
    on: 'keys',
  },
  'people are told of what they did themselves': {
    kind: 'notices',
    edits: [
      edit(
        'run/people/news-told.ts',
        '=> person === actor || person === acted_by',
        '=> person === acted_by && person !== actor',
      ),
    ],
  },
  'rules on create are asked of what is there': {
    kind: 'rules',
    edits: [
      edit(
        'run/write/check.ts',
        "on: writing.on === sampled ? sampled : old === null ? 'create' : 'change',",
        "on: writing.on === sampled ? sampled : 'create',",
      ),
    ],
    on: 'loan-desk',
  },
  'what was emptied begins with its default': {
    kind: 'new records',
    edits: [
      edit(
        'run/write/fill.ts',
        'if ((!isCopied && given?.has(key)) || (row[key] ?? null) !== null) return []',
        'if ((row[key] ?? null) !== null) return []',
      ),
    ],
    on: 'loan-desk',
  },
  'each attempt of a call has a key of its own': {
    kind: 'mails and calls',
    edits: [edit('run/later/outbox.ts', 'repeat_key: entry.repeatKey ?? id,', 'repeat_key: id,')],
    on: 'loan-desk',
  },
  'calls are given up an attempt too early': {
    kind: 'mails and calls',
    edits: [edit('run/later/attempt.ts', ': Number(row.attempts) > times', ': Number(row.attempts) >= times')],
    on: 'loan-desk',
  },
  'what a call reports says nothing of what to do': {
    kind: 'errors',
    edits: [edit('run/later/answered.ts', 'whatToDo === null ? message : `${message} ${whatToDo}`', 'message')],
    on: 'loan-desk',
  },
  'mails are in the language of the document for everybody': {
    kind: 'languages',
    edits: [
      edit(
        'run/later/outbox.ts',
        'const own = words.get(appFor(app, person.language))!',
        'const own = words.get(app)!',
      ),
    ],
    on: 'absence-desk',
  },
}

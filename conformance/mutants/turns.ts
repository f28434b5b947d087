/** Mutants of what `turns.md` says: people who decide one after the other, Undo, boards, sums of rows, names for values, and answers that steps ask for. */
import { edit } from '../faults.ts'
import type { Mutant } from './mutant.ts'

const on = 'turns'

export const turnsMutants: Readonly<Record<string, Mutant>> = {
  'timers do not wait for a turn': {
    kind: 'timers',
    edits: [
      edit(
        'run/later/timers.ts',
        'if (timer.waits !== null && awaited?.has(timer.waits) !== true) continue',
        'if (timer.waits !== null && awaited === null) continue',
      ),
    ],
    on,
  },
  'mails to those who are asked go to everybody': {
    kind: 'mails and calls',
    edits: [edit('run/later/outbox.ts', '? isAwaitedOf(app, named.entity, one.approval)', '? true')],
    on,
  },
  'what a step sends does not wait for its Undo': {
    kind: 'mails and calls',
    edits: [
      edit(
        'run/write/held.ts',
        'if (undo == null) return outcome',
        'if (undo == null || undo.seconds > 0) return outcome',
      ),
    ],
    on,
  },
  'steps are taken back hours later': {
    kind: 'steps',
    edits: [
      edit('run/write/undo.ts', 'if (Number(entry.age) > way.seconds)', 'if (Number(entry.age) > 3600 * way.seconds)'),
    ],
    on,
  },
  'boards offer every step': {
    kind: 'screens',
    edits: [
      edit(
        'kinds/screens/board/build.ts',
        'moves: presenter.actions(boardPart(screen).buttons, entity, row)',
        'moves: presenter.actions(null, entity, row)',
      ),
    ],
    on,
  },
  'empty boards have no words of their own': {
    kind: 'screens',
    edits: [
      edit(
        'kinds/screens/board/build.ts',
        'title: presenter.none(entity, boardPart(screen), filtered)',
        'title: presenter.none(entity, { ...boardPart(screen), emptyText: null }, filtered)',
      ),
    ],
    on,
  },
  'let names nothing': {
    kind: 'effects',
    edits: [edit('run/write/acts.ts', 'await workedOut(tx, app, request, related, act.value, named))', 'null)')],
    on,
  },
}

/** What a screen says and nothing goes by. Of what could be read alone, so that a mistake has no further findings here. */
import type { NamedRow } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { withoutLines } from '../../document/fix.ts'
import type { Cell } from '../../document/source.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import { type Context, cellOrNull } from '../context.ts'
import { specified } from '../specified.ts'
import { screenCodes } from './codes.ts'
import type { CardContent, Screen } from './model.ts'
import type { cardKeys } from './table.ts'

type CardKey = (typeof cardKeys)['columns'][number]['name']

/** Keys without an effect on some cards, and why. */
interface Idle {
  readonly keys: readonly CardKey[]
  readonly on: (content: CardContent) => boolean
  readonly why: string
}

const idle: readonly Idle[] = [
  {
    keys: ['By', 'Chart', 'Aim', 'Better', 'Date'],
    on: ({ kind }) => kind === 'list',
    why: 'the card shows a list, and no number',
  },
  {
    keys: ['Shows', 'Where', 'Columns', 'Sort'],
    on: ({ kind }) => kind !== 'list',
    why: 'the card shows a number, and its `Measure` says of which records: `count of Loan where …`',
  },
  {
    keys: ['Chart'],
    on: ({ kind }) => kind === 'number',
    why: 'without `By` the card is one number, and draws nothing',
  },
  {
    keys: ['Better'],
    on: content => content.kind === 'number' && content.aim === null && content.date === null,
    why: 'the card has neither an `Aim` to be reached nor a `Date` by which it would be compared with the period before',
  },
  {
    keys: ['Better'],
    on: content => 'drawn' in content,
    why: 'a drawing does not say which way is good',
  },
]

/** `written`: all that stands below the heading of the card. */
export function reportIdleKeys(context: Context, written: NamedRow<CardKey>, content: CardContent): void {
  for (const { keys, on, why } of idle)
    if (on(content))
      reportIdle(
        context,
        keys.map(key => [key, cellOrNull(written.cell(key))]),
        why,
      )
}

/** A period of figures that are counted whenever their records are. */
export function reportIdlePeriod(context: Context, period: Cell | null, screen: Screen): void {
  const contents = usesOf(screen).cards.map(({ shows }) => specified(shows))
  const isUndated = (content: CardContent | null) => content?.kind === 'list' || content?.date === null
  if (contents.length > 0 && contents.every(isUndated))
    reportIdle(context, [['Period', period]], 'none of its figures has a `Date`, or is grouped by one')
}

/** One finding for one reason. */
export function reportIdle(context: Context, keys: readonly (readonly [string, Cell | null])[], why: string): void {
  const idle = keys.flatMap(([key, cell]) => (cell === null ? [] : [{ key, cell }]))
  if (idle.length === 0) return
  const edits = idle.flatMap(({ cell }) => withoutLines('', cell).edits)
  reporter(screenCodes, 2, context.found).report(
    'N1266',
    idle[0]!.cell,
    { keys: idle.map(({ key }) => key).join('`, `'), why },
    { fixes: [{ title: 'take it out', edits }] },
  )
}

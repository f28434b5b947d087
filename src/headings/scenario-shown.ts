/** `L1 shows amount 12.00`, `My loans does not show L1`: what somebody is shown. */
import { splitAt, splitCell, words } from '../document/cell.ts'
import { reporter } from '../document/diagnostic.ts'
import type { Cell } from '../document/source.ts'
import { kindOf } from '../kinds/screens/index.ts'
import type { Screen } from './2-screens/model.ts'
import { fieldKey } from './3-entities/no-field.ts'
import type { ScenarioValue, ScenarioWhat } from './app.ts'
import { commonCodes } from './codes.ts'
import type { Context } from './context.ts'
import { evened } from './names.ts'
import { type Cast, type Given, isGivenByItself, isGivenTwice, readValues, unknownName } from './scenario-cast.ts'
import { specified } from './specified.ts'
import { mayBeNamedBySample, namedBySample } from './values.ts'

/** Undefined: the row says something else; null: after a report. */
export function readShown(context: Context, cast: Cast, cell: Cell, section: number): ScenarioWhat | null | undefined {
  const denied = splitAt(cell, 'does not show')
  const { before, after: shown } = denied ?? splitAt(cell, 'shows') ?? {}
  if (before === undefined || shown === undefined || before.text === '' || shown.text === '') return undefined
  const row: ShownStep = { context, cast, section, not: denied !== null }
  const [, search] = /^search "(.+)"$/i.exec(before.text) ?? []
  if (search !== undefined) return readListed(row, { search }, null, shown)
  const entity = entityOf(row, before)
  if (entity !== undefined) return readDisclosed(row, before.text, entity, shown)
  const screen = cast.screens.find(({ name }) => evened(name.text) === evened(before.text))
  if (screen !== undefined) return readOnScreen(row, screen, before, shown)
  // A condition may have the word in a text.
  if (/[=<>(".]/.test(before.text)) return undefined
  const names = [...cast.records.keys(), ...cast.screens.map(({ name }) => name.text)]
  unknownName(context, cast, before, 'record', names, section)
  return null
}

interface ShownStep {
  readonly context: Context
  readonly cast: Cast
  readonly section: number
  readonly not: boolean
}

function readOnScreen(row: ShownStep, { key, shows, route }: Screen, cell: Cell, shown: Cell): ScenarioWhat | null {
  const what = specified(shows)
  const isOfOne = specified(route)?.segments.some(segment => 'field' in segment) === true
  const showing = what === null ? 'records' : kindOf({ shows })?.shows
  if (isOfOne || showing === undefined)
    return unread(row, cell, 'a screen that shows records or figures', 'My loans shows L1')
  if (showing === 'figures' || (showing === 'both' && !row.cast.records.has(shown.text)))
    return { kind: 'figured', screen: key, line: shown.text, not: row.not }
  return readListed(row, { screen: key }, what?.entity ?? null, shown)
}

function unread({ context, section }: ShownStep, cell: Cell, expected: string, example: string): null {
  reporter(commonCodes, section, context.found).report('N1007', cell, { expected, example })
  return null
}

/** Which entity a record is of: one of the scenario, or of the sample data, which is known by that name from here on. */
function entityOf({ context, cast }: ShownStep, cell: Cell, only: string | null = null): string | undefined {
  const known = cast.records.get(cell.text)
  if (known !== undefined) return known
  const named = [...context.typed.values()].find(
    entity =>
      !entity.draft.builtIn &&
      (only === null
        ? namedBySample(entity, cell)
        : only === entity.draft.key && (namedBySample(entity, cell) || mayBeNamedBySample(entity))),
  )
  if (named === undefined) return undefined
  cast.records.set(cell.text, named.draft.key)
  cast.samples.set(cell.text, named.draft.key)
  return named.draft.key
}

/** `amount 12.00, note`: fields with what is shown, or alone. */
function readDisclosed(row: ShownStep, record: string, entity: string, cell: Cell): ScenarioWhat | null {
  const { context, cast, section, not } = row
  const fields: string[] = []
  const values: ScenarioValue[] = []
  const given: Given = new Map()
  let state: string | null = null
  for (const piece of splitCell(cell, ',')) {
    const [field, ...value] = words(piece)
    if (field === undefined) continue
    if (value.length > 0 && not) return unread(row, piece, 'a field alone', 'L1 does not show amount')
    const key = fieldKey(context, section, context.schema.get(entity)!, field)
    if (key === null) return null
    if (key !== 'state' && isGivenByItself(context, entity, key)) return byItself(row, field, key, record)
    if (isGivenTwice(context, given, entity, field, section)) return null
    fields.push(key)
    if (value.length === 0) continue
    const read = readValues(context, cast, entity, piece, section)
    values.push(...read.values)
    state ??= read.state
  }
  return { kind: 'told', record, fields, values, state, not }
}

/** What no answer about a record tells is looked at in a row of its own. */
const byItself = (row: ShownStep, field: Cell, key: string, record: string): null =>
  unread(row, field, 'a field that a record shows: what each has by itself is asked for', `${record}.${key} = …`)

function readListed(
  row: ShownStep,
  where: { readonly screen: string } | { readonly search: string },
  entity: string | null,
  shown: Cell,
): ScenarioWhat | null {
  const { context, cast, section, not } = row
  const found = entityOf(row, shown, entity)
  if (found === undefined) unknownName(context, cast, shown, 'record', cast.records.keys(), section)
  else if (entity === null || found === entity) return { kind: 'listed', ...where, record: shown.text, not }
  else return unread(row, shown, `a ${context.schema.get(entity)!.name}, which this screen shows`, 'My loans shows L1')
  return null
}

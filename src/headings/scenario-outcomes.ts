/** What a row `Then` says: what holds, what was made, which mail or call left, what somebody is shown. */
import { after, slice, splitAt, splitCell, trimmed, words } from '../document/cell.ts'
import { reporter } from '../document/diagnostic.ts'
import type { Cell } from '../document/source.ts'
import type { ScenarioWhat } from './app.ts'
import { commonCodes } from './codes.ts'
import { type Context, readAt } from './context.ts'
import { use } from './gaps/gap.ts'
import { type Cast, isSamplePerson, readValues, unknownName } from './scenario-cast.ts'
import { forms } from './scenario-table.ts'
import { sampleNames } from './values.ts'

const leaving =
  /^(?:(no|\d{1,3}) )?(?:(mail)s?(?: (\S+))? (?:was|were) sent(?: to (.+))?|calls?(?: (\S+))? (?:was|were) made)$/

/** `mail returned was sent to Anna`, `2 mails were sent`, `no mail was sent`, `call C-2 was made`; undefined: it is something else. */
export function readLeft(context: Context, cast: Cast, cell: Cell, section: number): ScenarioWhat | undefined {
  const { whole, saying, sends } = said(cell)
  const parts = leaving.exec(whole)
  if (parts === null) return undefined
  if (parts[2] === undefined ? saying !== null : sends.length > 0) return undefined
  const [, number, mail, ofMail, to, ofCall] = parts
  const name = ofMail ?? ofCall
  const named = name === undefined ? null : words(cell).find(({ text }) => text === name)!
  const known = named === null ? null : mail === undefined ? context.calls.find(named) : context.mails.find(named)
  return {
    kind: 'left',
    of: mail === undefined ? 'call' : 'mail',
    name: known?.key ?? null,
    to:
      to === undefined
        ? []
        : readRecipients(context, cast, slice(cell, whole.length - to.length, whole.length), section),
    count: number === undefined ? null : number === 'no' ? 0 : Number(number),
    saying,
    sends,
  }
}

/** What stands before `saying "is late"` and `with amount 12.00, kind Late`, and what these say. */
function said({ text }: Cell) {
  const [, mail, saying = null] = /^(.*\ssent(?:\sto\s.*)?)\s+saying\s+"([^"]+)"$/.exec(text) ?? []
  const [, call, pairs] = /^(.*\bcalls?\b.*\smade)\s+with\s+(\S.*)$/.exec(text) ?? []
  const sends = (pairs ?? '').split(',').flatMap(pair => {
    const [, name, value] = /^\s*(\w+)\s+(.*\S)\s*$/.exec(pair) ?? []
    return name === undefined ? [] : [{ name, value: value!.replace(/^"(.*)"$/, '$1') }]
  })
  return { whole: mail ?? call ?? text, saying, sends }
}

/** `Anna`, `Anna, Ben and Cleo`: people of the scenario or of the sample data. */
function readRecipients(context: Context, cast: Cast, cell: Cell, section: number): readonly string[] {
  const isKnown = (person: Cell) => cast.people.has(person.text) || isSamplePerson(context, person)
  const each = (some: Cell): readonly Cell[] => {
    const parts = splitAt(some, 'and')
    return isKnown(some) || parts === null ? [some] : [...each(parts.before), ...each(parts.after)]
  }
  const people = isKnown(cell) ? [cell] : splitCell(cell, ',').flatMap(each)
  const samples = context.typed.get('person')
  const known = [...cast.people.keys(), ...(samples === undefined ? [] : sampleNames(samples))]
  const { report } = reporter(commonCodes, section, context.found)
  for (const person of people)
    if (person.text.includes('@')) {
      const expected = 'a person of this scenario: of mails to an address, only that they were sent is told'
      report('N1007', person, { expected, example: 'mail granted was sent' })
    } else if (!isKnown(person)) unknownName(context, cast, person, 'person', known, section)
  return people.map(({ text }) => text)
}

/** `Order O1 was made with day 2026-03-02`, `no Order was made`; undefined: it is something else, null: after a report. */
export function readMade(context: Context, cast: Cast, cell: Cell, section: number): ScenarioWhat | null | undefined {
  const withParts = splitAt(cell, 'with')
  const [, begin] = /^(.*\S)\s+was made$/.exec((withParts?.before ?? cell).text) ?? []
  if (begin === undefined) return undefined
  const whole = slice(cell, 0, begin.length)
  const none = after(whole, 'no')
  const name = none === null ? words(whole).at(-1) : null
  const written = none ?? trimmed(slice(whole, 0, whole.text.length - (name?.text.length ?? 0)))
  const isNamed = name === null || (name !== undefined && /^[A-Za-z][A-Za-z0-9_]*$/.test(name.text))
  if (!isNamed || written.text === '') {
    cast.isBroken = true
    const said = { expected: 'a record that was made', example: 'Loan L1 was made' }
    reporter(commonCodes, section, context.found).report('N1007', cell, said)
    return null
  }
  const entity = context.entities.find(written)
  if (entity === null) {
    cast.isBroken = true
    return null
  }
  if (name != null) cast.records.set(name.text, entity.key)
  const said = readValues(context, cast, entity.key, withParts?.after ?? null, section)
  const row = said.values.find(({ child }) => child !== null)
  if (row !== undefined) {
    const about = { expected: 'a field of the record itself', example: 'Loan L1 was made with out_on 2026-03-02' }
    reporter(commonCodes, section, context.found).report('N1007', row.cell, about)
  }
  return { kind: 'made', entity: entity.key, name: name?.text ?? null, ...said }
}

/** What stands before a point as `first` does, and whatever else there is written like a record: `L1` of `L1.state`, not `item` of `L1.item.name`. */
function namedLikeRecords({ entities }: Context, cell: Cell, first: string): readonly Cell[] {
  const withoutTexts = cell.text.replace(/"[^"]*"/g, text => ' '.repeat(text.length))
  return [...withoutTexts.matchAll(/(?<![\w.])[A-Za-z]\w*(?=\.)/g)].flatMap(({ index, 0: name }) => {
    const isRecord = name === first || (/^[A-Z]/.test(name) && !entities.all.has(name))
    return isRecord ? [slice(cell, index, index + name.length)] : []
  })
}

/**
 * `L1.state = Approved`, `L1.item = I1`, `count(L1.lines) = 2`: the name before the dots is taken off; what is left is read over that record,
 * with the names of others for what it refers to.
 */
export function readHolds(context: Context, cast: Cast, cell: Cell, section: number): ScenarioWhat | null {
  const places = (name: string) => cell.text.search(called(name))
  knowSamples(context, cast, name => places(name) >= 0)
  const [first] = [...cast.records.keys()].filter(one => places(one) >= 0).sort((a, b) => places(a) - places(b))
  const name = first ?? /^(?:not\s+|\(\s*)*([A-Za-z][A-Za-z0-9_]*)\./.exec(cell.text)?.[1]
  if (name === undefined) {
    reporter(commonCodes, section, context.found).report('N1007', cell, {
      expected: 'what holds then',
      example: forms.holds.join('`, `'),
    })
    return null
  }
  const entity = cast.records.get(name)
  if (entity === undefined) {
    for (const unknown of namedLikeRecords(context, cell, name))
      unknownName(context, cast, unknown, 'record', cast.records.keys(), section)
    return null
  }
  const other = [...cast.records.keys()].find(one => one !== name && places(one) >= 0)
  if (other !== undefined) {
    const at = places(other)
    const said = {
      expected: 'a condition over one record: the other has a row of its own',
      example: `${other}.state = Open`,
    }
    reporter(commonCodes, section, context.found).report('N1007', slice(cell, at, at + other.length), said)
    return null
  }
  const people = [...cast.people.keys()].map(person => [person, 'person'] as const)
  const named = new Map([...people, ...cast.records])
  const place = { section, entity, named }
  const expression = readAt(context, withoutName(cell, name), place, { kind: 'yes/no' }, use('scenario'))
  return expression === null ? null : { kind: 'holds', record: name, expression }
}

/** Records of the sample data that a condition names are known by that name from here on. */
function knowSamples(context: Context, cast: Cast, isNamed: (name: string) => boolean): void {
  for (const entity of context.typed.values()) {
    if (entity.draft.builtIn) continue
    for (const name of sampleNames(entity))
      if (!cast.records.has(name) && isNamed(name)) {
        cast.records.set(name, entity.draft.key)
        cast.samples.set(name, entity.draft.key)
      }
  }
}

/** `L1.`, wherever it stands before a field; names of the sample data may have any signs. */
const called = (name: string): RegExp => new RegExp(`(?<![\\w.])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.`, 'g')

/** The cell without `L1.` wherever it stands before a field; every offset still leads to its place in the file. */
function withoutName(cell: Cell, name: string): Cell {
  const prefix = called(name)
  const gaps = [...cell.gaps]
  let text = ''
  let at = 0
  const shifted: number[] = []
  for (const match of cell.text.matchAll(prefix)) {
    text += cell.text.slice(at, match.index)
    at = match.index + match[0].length
    for (let i = 0; i < match[0].length; i++) shifted.push(text.length)
  }
  text += cell.text.slice(at)
  // A gap lies *before* an offset only if it is smaller: text that follows a name taken off begins one character late.
  const start = shifted.filter(gap => gap === 0).length
  return {
    ...cell,
    start: cell.start + start,
    text,
    gaps: [...gaps, ...shifted.filter(gap => gap > 0).map(gap => gap - 1)].sort((a, b) => a - b),
  }
}

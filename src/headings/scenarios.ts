/** `#### Scenario: …`, under whatever heading it stands. */
import { after, slice, splitAt, splitCell, trimmed, words } from '../document/cell.ts'
import { reporter } from '../document/diagnostic.ts'
import { writeInstead } from '../document/fix.ts'
import { didYouMean, nearest } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import type { Block } from '../document/tree.ts'
import { dayNumber } from '../expression/dates.ts'
import { fieldOrOfRows } from './3-entities/no-field.ts'
import { findStep } from './4-states/declare.ts'
import { checkResult } from './5-validation/read.ts'
import {
  type Scenario,
  type ScenarioStep,
  type ScenarioValue,
  type ScenarioVerb,
  type ScenarioWhat,
  scenarioUnits,
  scenarioVerbs,
} from './app.ts'
import { blockKind, blockName } from './blocks.ts'
import { commonCodes } from './codes.ts'
import { type Context, readAt, readTables } from './context.ts'
import { evened, misspelt, writeNearest, writeOneOf } from './names.ts'
import { steps } from './scenario-table.ts'
import { checkValue, mayBeNamedBySample, namedBySample, sampleNames } from './values.ts'

/** What a scenario has introduced so far: records by name → entity, people by name → role. */
interface Cast {
  readonly records: Map<string, string>
  readonly people: Map<string, { readonly role: string | null; readonly cell: Cell }>
  /** Those of the records that are of the sample data. */
  readonly samples: Map<string, string>
  /** A row that introduces something could not be read: that a name is unknown is no news then. */
  isBroken: boolean
}

/** Every scenario, in the order of the document. */
export function readScenarios(context: Context): readonly Scenario[] {
  return context.document.sections.flatMap(section =>
    [section, ...section.subjects].flatMap(content =>
      content.blocks
        .filter(block => blockKind(block.title) === 'scenario')
        .map(block => readScenario(context, block, section.number)),
    ),
  )
}

function readScenario(context: Context, block: Block, section: number): Scenario {
  const { rows } = readTables(context, block, section, [steps])
  const cast: Cast = { records: new Map(), people: new Map(), samples: new Map(), isBroken: false }
  const all = rows(steps)
  // People may be named before the row that introduces them: `by Cleo` above `Cleo the Clerk`.
  for (const row of all) {
    introduce(context, cast, row.cell('Who')!, section)
    const maker = splitAt(splitAt(row.cell('What')!, 'with')?.before ?? row.cell('What')!, 'by')?.after
    if (maker !== undefined) introduce(context, cast, maker, section)
  }
  let before: ScenarioStep['step'] = 'given'
  const read: ScenarioStep[] = []
  for (const row of all) {
    const step = readStep(context, row.cell('Step')!, before, section)
    before = step
    const what = readWhat(context, cast, row.cell('What')!, step, section)
    const result = row.cell('Result')!
    const confirms = readConfirmed(context, result)
    if (confirms === null) checkResult(context, result, ['ok', 'denied'], section)
    if (what === null) continue
    const who = readWho(context, cast, row.cell('Who')!, section)
    read.push({
      cell: row.cell('What')!,
      step,
      who,
      what,
      result: result.text === '' ? null : result,
      confirms: confirms ?? [],
    })
  }
  const people = [...cast.people].flatMap(([name, { role }]) => (role === null ? [] : [{ name, role }]))
  return { title: blockName(block.title), people, samples: cast.samples, steps: read }
}

/** `ok with E-HIGH, E-LATE confirmed` → the codes; null: it is another result. */
function readConfirmed(context: Context, result: Cell): readonly string[] | null {
  const codes = /^ok with (.+) confirmed$/.exec(result.text)?.[1]
  if (codes === undefined) return null
  const cells = splitCell(trimmed(slice(result, 'ok with '.length, 'ok with '.length + codes.length)), ',')
  return cells.map(cell => {
    context.errors.find(cell)
    return cell.text
  })
}

const stepWords = ['Given', 'When', 'Then', 'And'] as const

function readStep(context: Context, cell: Cell, before: ScenarioStep['step'], section: number): ScenarioStep['step'] {
  const word = stepWords.find(known => known === cell.text)
  if (word === 'And') return before
  if (word !== undefined) return word.toLowerCase() as ScenarioStep['step']
  const { report } = reporter(commonCodes, section, context.found)
  report(
    'N1006',
    cell,
    { step: cell.text, meant: didYouMean(cell.text, stepWords) },
    { fixes: writeOneOf(cell, stepWords) },
  )
  // Read on as what was probably meant, so that what this row introduces is known below.
  const meant = nearest(cell.text, stepWords)
  return meant === null || meant === 'And' ? before : (meant.toLowerCase() as ScenarioStep['step'])
}

/** `Cleo the Clerk`. */
function introduction(cell: Cell): { readonly name: string; readonly role: Cell } | null {
  const parts = splitAt(cell, 'the')
  return parts === null || parts.before.text === '' ? null : { name: parts.before.text, role: parts.after }
}

function introduce(context: Context, cast: Cast, cell: Cell, section: number): void {
  const person = introduction(cell)
  const role = person === null ? null : context.roles.find(person.role)
  if (person === null) return
  if (role === null) {
    // The role is reported; the person is known from here on.
    if (!cast.people.has(person.name)) cast.people.set(person.name, { role: null, cell })
    return
  }
  const first = cast.people.get(person.name)
  if (first !== undefined && first.role !== null && first.role !== role.name) {
    const { report } = reporter(commonCodes, section, context.found)
    const related = [{ span: first.cell, message: 'first here' }]
    report('N1012', cell, { name: person.name, role: role.name, first: first.role }, { related })
  } else if (first === undefined) cast.people.set(person.name, { role: role.name, cell })
}

function readWho(context: Context, cast: Cast, cell: Cell, section: number): ScenarioStep['who'] {
  if (cell.text === '') return null
  if (/^a visitor$/i.test(cell.text)) return { name: cell.text, role: null, link: null }
  const linked = after(cell, 'the link of')
  if (linked !== null && linked.text !== '') {
    const isKnown = cast.records.has(linked.text)
    if (!isKnown) unknownName(context, cast, linked, cast.records.keys(), section)
    return isKnown ? { name: cell.text, role: null, link: linked.text } : null
  }
  const name = introduction(cell)?.name ?? cell.text
  const person = cast.people.get(name)
  if (person !== undefined) return person.role === null ? null : { name, role: person.role }
  if (introduction(cell) === null) unknownName(context, cast, cell, cast.people.keys(), section)
  return null
}

function unknownName(context: Context, cast: Cast, cell: Cell, known: Iterable<string>, section: number): void {
  if (cast.isBroken) return
  const all = [...known]
  const { report } = reporter(commonCodes, section, context.found)
  report('N1008', cell, { name: cell.text, meant: didYouMean(cell.text, all) }, { fixes: writeNearest(cell, all) })
}

function readWhat(
  context: Context,
  cast: Cast,
  cell: Cell,
  step: ScenarioStep['step'],
  section: number,
): ScenarioWhat | null {
  const time = step === 'then' ? null : readTime(cell)
  if (time !== null) return time
  const made = readLeft(context, cast, cell, section) ?? readMade(context, cast, cell, section)
  if (made !== undefined) return made
  if (step === 'then') return readHolds(context, cast, cell, section)
  const byLength = [...context.entities.all.values()].sort((a, b) => b.name.length - a.name.length)
  const entity = byLength.find(({ name }) => after(cell, name)?.text)
  if (entity !== undefined && (step === 'given' || !isStep(context, cast, cell)))
    return readRecord(context, cast, cell, entity.key, after(cell, entity.name)!, section)
  const person = splitAt(cell, 'with')
  if (step === 'given' && person !== null && isPerson(cast, person.before))
    return readVerb(context, cast, 'change', person.before.text, 'person', person.after, section)
  if (step === 'when') return readAction(context, cast, cell, section)
  const { report } = reporter(commonCodes, section, context.found)
  cast.isBroken = true
  const [name] = person === null ? [] : words(person.before)
  if (name !== undefined && name.text === person!.before.text) {
    const expected = `a record, and no row introduces a person \`${name.text}\``
    report('N1007', cell, { expected, example: `| Given | ${name.text} the Clerk | … |` })
    return null
  }
  // What is given stands in a state; steps are what is tried.
  report(
    'N1007',
    cell,
    isStep(context, cast, cell)
      ? { expected: 'what is given: a step stands in a row `When`', example: '| When | Ben | approve L1 | ok |' }
      : { expected: 'a record', example: 'Loan L1 by Cleo with item CA-0001, state Requested' },
  )
  return null
}

const leaving = /^(no )?(?:mail(?: (\S+))? was sent(?: to (.+))?|call(?: (\S+))? was made)$/

/** `mail returned was sent to Anna`, `no mail was sent`, `call C-2 was made`; undefined: it is something else. */
function readLeft(context: Context, cast: Cast, cell: Cell, section: number): ScenarioWhat | undefined {
  const parts = leaving.exec(cell.text)
  if (parts === null) return undefined
  const [, no = '', mail, to, call] = parts
  const of = cell.text.startsWith('mail', no.length) ? 'mail' : 'call'
  const from = no.length + of.length + 1
  const named = slice(cell, from, from + (mail ?? call ?? '').length)
  const known = named.text === '' ? null : of === 'mail' ? context.mails.find(named) : context.calls.find(named)
  const person = to === undefined ? null : slice(cell, cell.text.length - to.length, cell.text.length)
  const samples = context.typed.get('person')
  const sampled = samples === undefined ? new Set<string>() : sampleNames(samples)
  if (person !== null && !cast.people.has(person.text) && !sampled.has(evened(person.text)))
    unknownName(context, cast, person, [...cast.people.keys(), ...sampled], section)
  return { kind: 'left', of, name: known?.key ?? null, to: person?.text ?? null, none: no !== '' }
}

/** `Order O1 was made with day 2026-03-02`, `no Order was made`; undefined: it is something else, null: after a report. */
function readMade(context: Context, cast: Cast, cell: Cell, section: number): ScenarioWhat | null | undefined {
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

/** A name that the scenario gave to a person, and to no record. */
const isPerson = ({ records, people }: Cast, { text }: Cell): boolean => people.has(text) && !records.has(text)

const passing = new RegExp(`^(\\d{1,3}) (${scenarioUnits.join('|')})s? pass(?:es)?$`)

/** `today 2026-03-02`, `today 2026-03-02 at 16:00`, `3 days pass`; null: it is about no time. */
function readTime(cell: Cell): ScenarioWhat | null {
  const [, date, hour = 9, minute = 0] =
    /^today (\d{4}-\d{2}-\d{2})(?: at ([01]\d|2[0-3]):([0-5]\d))?$/.exec(cell.text) ?? []
  if (date !== undefined && dayNumber(date) !== null)
    return { kind: 'today', date, hour: Number(hour), minute: Number(minute) }
  const [, count, unit] = passing.exec(cell.text) ?? []
  const found = scenarioUnits.find(one => one === unit)
  return found === undefined ? null : { kind: 'passes', count: Number(count), unit: found }
}

const isStep = (context: Context, cast: Cast, whole: Cell): boolean => {
  const cell = splitAt(whole, 'with')?.before ?? whole
  const last = words(cell).at(-1)
  const entity = cast.records.get(last?.text ?? '')
  const name = last === undefined ? '' : evened(cell.text.slice(0, -last.text.length))
  return entity !== undefined && context.workflows.get(entity)?.steps.all.has(name) === true
}

/** `approve L1`, `decline L1 with reason Broken`, `change L1 with purpose A film`. */
function readAction(context: Context, cast: Cast, whole: Cell, section: number): ScenarioWhat | null {
  const withParts = splitAt(whole, 'with')
  const cell = withParts?.before ?? whole
  const last = subjectOf(context, cast, cell)
  const name = last === undefined ? null : trimmed(slice(cell, 0, cell.text.length - last.text.length))
  if (last === undefined || name === null || name.text === '') {
    reporter(commonCodes, section, context.found).report('N1007', cell, { expected: 'a step', example: 'approve L1' })
    return null
  }
  const entity = cast.records.get(last.text) ?? (isPerson(cast, last) ? 'person' : undefined)
  if (entity === undefined) {
    unknownName(context, cast, last, cast.records.keys(), section)
    return null
  }
  if (context.entityByKey.get(entity)?.partOf != null) {
    const said = {
      expected: 'what is done with a record: a row is changed with the record that it is part of',
      example: 'change O1 with pieces 2',
    }
    reporter(commonCodes, section, context.found).report('N1007', whole, said)
    return null
  }
  const isKept = context.schema.get(entity)?.archives === true
  const verb = scenarioVerbs.find(one => one === name.text && (one !== 'restore' || isKept))
  if (verb !== undefined && !context.workflows.get(entity)?.steps.all.has(verb))
    return readVerb(context, cast, verb, last.text, entity, withParts?.after ?? null, section)
  const { values } = readValues(context, cast, entity, withParts?.after ?? null, section)
  const step = findStep(context, entity, name)
  return step === null ? null : { kind: 'step', step: step.key, record: last.text, values }
}

/** What something is done with: the last word, or the name of a record of the sample data, which may have several. */
function subjectOf(context: Context, cast: Cast, cell: Cell): Cell | undefined {
  const last = words(cell).at(-1)
  if (last === undefined || cast.records.has(last.text) || cast.people.has(last.text)) return last
  const tails = [...cell.text.matchAll(/\s+/g)].map(gap => slice(cell, gap.index + gap[0].length))
  for (const isNamed of [namedBySample, mayBeNamedBySample])
    for (const tail of tails)
      for (const entity of context.typed.values()) {
        const name = evened(trimmed(slice(cell, 0, cell.text.length - tail.text.length)).text)
        const { key, builtIn } = entity.draft
        const does =
          scenarioVerbs.some(verb => verb === name) || context.workflows.get(key)?.steps.all.has(name) === true
        if (builtIn || !does || !isNamed(entity, tail)) continue
        cast.records.set(tail.text, key)
        cast.samples.set(tail.text, key)
        return tail
      }
  return last
}

function readVerb(
  context: Context,
  cast: Cast,
  verb: ScenarioVerb,
  record: string,
  entity: string,
  values: Cell | null,
  section: number,
): ScenarioWhat {
  return { kind: 'verb', verb, record, values: readValues(context, cast, entity, values, section).values }
}

/**
 * `L1.state = Approved`, `L1.item = I1`, `count(L1.lines) = 2`: the name before the dots is taken off; what is left is read over that record,
 * with the names of others for what it refers to.
 */
function readHolds(context: Context, cast: Cast, cell: Cell, section: number): ScenarioWhat | null {
  const places = (name: string) => cell.text.search(called(name))
  const [first] = [...cast.records.keys()].filter(one => places(one) >= 0).sort((a, b) => places(a) - places(b))
  const name = first ?? /^(?:not\s+|\(\s*)*([A-Za-z][A-Za-z0-9_]*)\./.exec(cell.text)?.[1]
  if (name === undefined) {
    reporter(commonCodes, section, context.found).report('N1007', cell, {
      expected: 'what holds then',
      example: 'L1.state = Approved',
    })
    return null
  }
  const entity = cast.records.get(name)
  if (entity === undefined) {
    const at = cell.text.indexOf(`${name}.`)
    unknownName(context, cast, slice(cell, at, at + name.length), cast.records.keys(), section)
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
  const expression = readAt(context, withoutName(cell, name), place, { kind: 'yes/no' }, 'a scenario fails')
  return expression === null ? null : { kind: 'holds', record: name, expression }
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

/** `L1 by Cleo with item CA-0001, out_on 2026-03-02, state Requested`. */
function readRecord(
  context: Context,
  cast: Cast,
  cell: Cell,
  entity: string,
  rest: Cell,
  section: number,
): ScenarioWhat | null {
  const { report } = reporter(commonCodes, section, context.found)
  const withParts = splitAt(rest, 'with')
  const byParts = splitAt(withParts?.before ?? rest, 'by')
  const name = byParts?.before ?? withParts?.before ?? rest
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name.text)) {
    report('N1007', cell, { expected: 'a record', example: 'Loan L1 by Cleo with item CA-0001, state Requested' })
    return null
  }
  cast.records.set(name.text, entity)
  const introduced = byParts === null ? null : introduction(byParts.after)
  const [by = null, ...more] =
    byParts === null
      ? []
      : introduced === null
        ? words(byParts.after)
        : [slice(byParts.after, 0, introduced.name.length)]
  if (more[0] !== undefined) {
    cast.isBroken = true
    const near = misspelt(more[0], ['with'])
    const fixes = near === null ? [] : [writeInstead(near.begin, near.meant)]
    report('N1007', more[0], { expected: '`with` and values', example: 'Loan L1 by Cleo with item CA-0001' }, { fixes })
    return null
  }
  if (by !== null && !cast.people.has(by.text)) unknownName(context, cast, by, cast.people.keys(), section)
  const { values, state } = readValues(context, cast, entity, withParts?.after ?? null, section)
  return { kind: 'record', entity, name: name.text, by: by?.text ?? null, values, state }
}

/** `item CA-0001, out_on 2026-03-02, state Requested`. */
function readValues(
  context: Context,
  cast: Cast,
  entity: string,
  cell: Cell | null,
  section: number,
): { readonly values: readonly ScenarioValue[]; readonly state: string | null } {
  const { report } = reporter(commonCodes, section, context.found)
  const values: ScenarioValue[] = []
  let state: string | null = null
  for (const piece of cell === null ? [] : splitCell(cell, ',')) {
    const [field, ...others] = words(piece)
    if (field === undefined) continue
    const value = trimmed(slice(piece, field.text.length))
    const workflow = context.workflows.get(entity)
    if (field.text === 'state' && workflow !== undefined) {
      state = workflow.states.find(value)?.name ?? null
      continue
    }
    if (others.length === 0) {
      report('N1007', piece, { expected: 'a field with a value', example: 'out_on 2026-03-02' })
      continue
    }
    const found = fieldOrOfRows(context, section, entity, field)
    if (found === null) continue
    if (found.child === null && isGivenByItself(context, entity, field.text)) {
      report('N1007', piece, { expected: 'a field that people fill', example: 'out_on 2026-03-02' })
      continue
    }
    const shape = context.schema.get(found.entity)!.fields.get(field.text)!
    const draft = context.typed.get(found.entity)!.fields.get(field.text) ?? null
    checkValue(context, shape, draft, value, section, new Set([...cast.records.keys(), ...cast.people.keys()]))
    values.push({ field: field.text, child: found.child, cell: value })
  }
  return { values, state }
}

/** What every record has without being given it; a row names the record that it is part of. */
const isGivenByItself = (context: Context, entity: string, key: string): boolean =>
  !context.typed.get(entity)!.fields.has(key) && key !== context.schema.get(entity)!.parent

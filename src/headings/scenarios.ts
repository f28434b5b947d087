/** `#### Scenario: …`, under whatever heading it stands. */
import { after, slice, splitAt, splitCell, trimmed, words } from '../document/cell.ts'
import { reporter } from '../document/diagnostic.ts'
import { writeInstead } from '../document/fix.ts'
import { didYouMean, nearest } from '../document/nearest.ts'
import type { Cell } from '../document/source.ts'
import type { Block } from '../document/tree.ts'
import { dayNumber } from '../expression/dates.ts'
import { isShadowed } from '../expression/names.ts'
import { fieldOrOfRows } from './3-entities/no-field.ts'
import { findStep } from './4-states/declare.ts'
import { checkResult } from './5-validation/read.ts'
import {
  type Scenario,
  type ScenarioStep,
  type ScenarioVerb,
  type ScenarioWhat,
  scenarioUnits,
  scenarioVerbs,
} from './app.ts'
import { blockKind, blockName } from './blocks.ts'
import { commonCodes } from './codes.ts'
import { type Context, readTables } from './context.ts'
import { evened, misspelt, writeOneOf } from './names.ts'
import { readAnswered } from './scenario-answers.ts'
import {
  type Cast,
  introduction,
  isPerson,
  isSamplePerson,
  ofSample,
  readValues,
  unknownName,
} from './scenario-cast.ts'
import { readSent } from './scenario-messages.ts'
import { readHolds, readLeft, readMade } from './scenario-outcomes.ts'
import { readShown } from './scenario-shown.ts'
import { forms, steps } from './scenario-table.ts'
import { mayBeNamedBySample, namedBySample } from './values.ts'

/** Every scenario, in the order of the document. */
export function readScenarios(context: Context, around: Around): readonly Scenario[] {
  const elsewhere = new Map<string, string>()
  return context.document.sections.flatMap(section =>
    [section, ...section.subjects].flatMap(content =>
      content.blocks
        .filter(block => blockKind(block.title) === 'scenario')
        .map(block => {
          const scenario = readScenario(context, { ...around, elsewhere }, block, section.number)
          for (const { name, role } of scenario.people) elsewhere.set(name, role)
          return scenario
        }),
    ),
  )
}

/** What its rows may name of other headings. */
type Around = Pick<Cast, 'screens' | 'receives'>

function readScenario(
  context: Context,
  around: Around & Pick<Cast, 'elsewhere'>,
  block: Block,
  section: number,
): Scenario {
  const { rows } = readTables(context, block, section, [steps])
  const cast: Cast = { records: new Map(), people: new Map(), samples: new Map(), ...around, isBroken: false }
  const all = rows(steps)
  // People may be named before the row that introduces them: `by Cleo` above `Cleo the Clerk`.
  for (const row of all) {
    introduce(context, cast, row.cell('Who')!, section)
    const before = splitAt(row.cell('What')!, 'with')?.before ?? row.cell('What')!
    if (givenPerson(context, before) !== null) introduce(context, cast, before, section)
    const maker = splitAt(before, 'by')?.after
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
    const name = row.cell('Who')!
    // In a row that cannot be read, only what is written like a name is one: the cells may stand in each other's place.
    const who = what !== null || /^\p{Lu}\S*$/u.test(name.text) ? readWho(context, cast, name, section) : null
    if (what === null) continue
    if (step === 'then' && result.text !== '' && result.text !== 'ok') triesNothing(context, result, section)
    if (isShown(what) && row.cell('Who')!.text === '') shownToNobody(context, row.cell('What')!, section)
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

const triesNothing = (context: Context, result: Cell, section: number): void =>
  reporter(commonCodes, section, context.found).report(
    'N1027',
    result,
    { result: result.text },
    { fixes: [{ title: 'leave `Result` empty', edits: [{ span: result, text: '' }] }] },
  )

const isShown = ({ kind }: ScenarioWhat): boolean => kind === 'told' || kind === 'listed' || kind === 'figured'

function shownToNobody(context: Context, cell: Cell, section: number): void {
  const example = `| Then | Cleo | ${cell.text} | |`
  const expected = 'what somebody is shown: `Who` is empty'
  reporter(commonCodes, section, context.found).report('N1007', cell, { expected, example })
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

/** The name in `Uwe the Resident`, which stands before `with`. */
function givenPerson({ roles }: Context, cell: Cell): Cell | null {
  const person = introduction(cell)
  const isMaker = splitAt(cell, 'by') !== null
  return person === null || isMaker || !/^\p{Lu}/u.test(person.name) || !roles.all.has(evened(person.role.text))
    ? null
    : slice(cell, 0, person.name.length)
}

function readWho(context: Context, cast: Cast, cell: Cell, section: number): ScenarioStep['who'] {
  if (cell.text === '') return null
  if (/^a visitor$/i.test(cell.text)) return { name: cell.text, role: null, link: null }
  const linked = after(cell, 'the link of')
  if (linked !== null && linked.text !== '') {
    const isKnown = cast.records.has(linked.text)
    if (!isKnown) unknownName(context, cast, linked, 'record', cast.records.keys(), section)
    return isKnown ? { name: cell.text, role: null, link: linked.text } : null
  }
  const name = introduction(cell)?.name ?? cell.text
  const person = cast.people.get(name)
  if (person !== undefined) return person.role === null ? null : { name, role: person.role }
  if (introduction(cell) === null) unknownName(context, cast, cell, 'person', cast.people.keys(), section)
  return null
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
  const constant = step === 'then' ? undefined : readConstant(context, cell, section)
  if (constant !== undefined) return constant
  const answered = readAnswered(context, cast, cell, step, section)
  if (answered !== undefined) return answered
  const sent = readSent(context, cast, cell, step, section)
  if (sent !== undefined) return sent
  const made = readLeft(context, cast, cell, section) ?? readMade(context, cast, cell, section)
  if (made !== undefined) return made
  if (step === 'then') {
    const shown = readShown(context, cast, cell, section)
    return shown === undefined ? readHolds(context, cast, cell, section) : shown
  }
  const byLength = [...context.entities.all.values()].sort((a, b) => b.name.length - a.name.length)
  const entity = byLength.find(({ name }) => after(cell, name)?.text)
  if (entity !== undefined && (step === 'given' || !isStep(context, cast, cell)))
    return readRecord(context, cast, cell, entity.key, after(cell, entity.name)!, section)
  const person = splitAt(cell, 'with')
  const given = person === null ? undefined : (givenPerson(context, person.before) ?? person.before)
  if (step === 'given' && person !== null && isPerson(cast, given!))
    return readVerb(context, cast, 'change', given!.text, 'person', person.after, section)
  if (step === 'when') return readAction(context, cast, cell, section)
  const { report } = reporter(commonCodes, section, context.found)
  cast.isBroken = true
  const name = person?.before
  if (name !== undefined && (words(name).length === 1 || isSamplePerson(context, name))) {
    const expected = `a record, and no row introduces a person \`${name.text}\``
    const [role = 'Clerk'] = context.roles.all.keys()
    report('N1007', cell, { expected, example: `| Given | | ${name.text} the ${role} with … |` })
    return null
  }
  // What is given stands in a state; steps are what is tried.
  report(
    'N1007',
    cell,
    isStep(context, cast, cell)
      ? { expected: 'what is given: a step stands in a row `When`', example: '| When | Ben | approve L1 | ok |' }
      : { expected: 'what is given', example: forms.given.join('`, `') },
  )
  return null
}

const passing = new RegExp(`^(\\d{1,3}) (${scenarioUnits.join('|')})s? pass(?:es)?$`)

/** `limits.max_loan_days = 7`; undefined: it is something else, null: after a report. */
function readConstant(context: Context, cell: Cell, section: number): ScenarioWhat | null | undefined {
  const [whole, key = '', value = ''] = /^limits\.(\w+)\s*=\s*(\S.*)$/.exec(cell.text) ?? []
  if (whole === undefined) return undefined
  const constant = context.limits.get(key)
  const isNumber = constant !== undefined && ['integer', 'decimal', 'money'].includes(constant.type.kind)
  if (constant === undefined || constant.change === 'fixed' || !isNumber) {
    const expected = 'a constant of heading 9 with a number that somebody may change'
    const [near = 'max_loan_days'] = [nearest(key, [...context.limits.keys()])].filter(one => one !== null)
    const example = `limits.${near} = ${value}`
    reporter(commonCodes, section, context.found).report('N1007', cell, { expected, example })
    return null
  }
  return { kind: 'constant', constant: key, value: slice(cell, cell.text.length - value.length) }
}

/** `today 2026-03-02`, `today 2026-03-02 at 16:00`, `… at 15:59:59`, `3 days pass`; null: it is about no time. */
function readTime(cell: Cell): ScenarioWhat | null {
  const [, date, hour = 9, minute = 0, second = 0] =
    /^today (\d{4}-\d{2}-\d{2})(?: at ([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?)?$/.exec(cell.text) ?? []
  if (date !== undefined && dayNumber(date) !== null)
    return { kind: 'today', date, hour: Number(hour), minute: Number(minute), second: Number(second) }
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

const whatIsDone = { expected: 'what is done', example: forms.when.join('`, `') }

/** `approve L1`, `decline L1 with reason Broken`, `change L1 with purpose A film`. */
function readAction(context: Context, cast: Cast, whole: Cell, section: number): ScenarioWhat | null {
  const withParts = splitAt(whole, 'with')
  const cell = withParts?.before ?? whole
  const last = subjectOf(context, cast, cell)
  const name = last === undefined ? null : trimmed(slice(cell, 0, cell.text.length - last.text.length))
  if (last === undefined || name === null || name.text === '') {
    reporter(commonCodes, section, context.found).report('N1007', cell, whatIsDone)
    return null
  }
  const entity = cast.records.get(last.text) ?? (isPerson(cast, last) ? 'person' : undefined)
  if (entity === undefined) {
    const doing = [...scenarioVerbs, ...[...context.workflows.values()].flatMap(({ steps }) => [...steps.all.keys()])]
    if (doing.some(one => one === name.text) || nearest(name.text, doing) !== null)
      unknownName(context, cast, last, 'record', cast.records.keys(), section)
    else if (!cast.isBroken) reporter(commonCodes, section, context.found).report('N1007', whole, whatIsDone)
    return null
  }
  if (context.entityByKey.get(entity)?.partOf != null && name.text !== 'change' && name.text !== 'delete') {
    const said = {
      expected: 'what is done with a row: it is changed or deleted',
      example: `change ${last.text} with …`,
    }
    reporter(commonCodes, section, context.found).report('N1007', whole, said)
    return null
  }
  const isKept = context.schema.get(entity)?.archives === true
  const verb = scenarioVerbs.find(one => one === name.text && (one !== 'restore' || isKept))
  if (verb !== undefined && (isShadowed(verb) || !context.workflows.get(entity)?.steps.all.has(verb)))
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
        return ofSample(cast, tail, key)
      }
  // What is done with it may be wrong, and is told as that.
  for (const tail of tails)
    for (const entity of context.typed.values())
      if (!entity.draft.builtIn && namedBySample(entity, tail)) return ofSample(cast, tail, entity.draft.key)
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

/** `Cleo`, `Cleo the Clerk`, `Anna Berg`; the words that follow, where it is nobody. */
function makerIn(context: Context, cast: Cast, cell: Cell): readonly Cell[] {
  const introduced = introduction(cell)
  if (introduced !== null) return [slice(cell, 0, introduced.name.length)]
  return cast.people.has(cell.text) || isSamplePerson(context, cell) ? [cell] : words(cell)
}

/** The fields behind `without`, at the end. */
const leaving = /\swithout\s+([a-z_]\w*(?:\s*,\s*[a-z_]\w*)*)$/

/** Rows are written with the record that they are part of. */
function madeWithParent({ typed, schema, found }: Context, cell: Cell, entity: string, section: number): null {
  const { draft, parent, fields } = typed.get(entity)!
  const above = parent === null ? 'Loan' : schema.get(parent.key)!.name
  const [field = 'item'] = [...fields.values()].filter(one => one.rules.has('required')).map(({ key }) => key)
  const parameters = {
    expected: `a record of its own: ${draft.name} is a row of ${above}, and made with it`,
    example: `${above} ${above[0]}1 with ${field} …`,
  }
  reporter(commonCodes, section, found).report('N1007', cell, parameters)
  return null
}

/** `L1 by Cleo with item CA-0001, out_on 2026-03-02, state Requested without due_back`. */
function readRecord(
  context: Context,
  cast: Cast,
  cell: Cell,
  entity: string,
  whole: Cell,
  section: number,
): ScenarioWhat | null {
  const { report } = reporter(commonCodes, section, context.found)
  const left = leaving.exec(whole.text)
  const rest = left === null ? whole : slice(whole, 0, left.index)
  const names = left === null ? [] : splitCell(slice(whole, whole.text.length - left[1]!.length), ',')
  const without = names.filter(
    name => context.schema.get(entity)!.fields.has(name.text) || fieldOrOfRows(context, section, entity, name) !== null,
  )
  const withParts = splitAt(rest, 'with')
  const byParts = splitAt(withParts?.before ?? rest, 'by')
  const name = byParts?.before ?? withParts?.before ?? rest
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name.text)) {
    report('N1007', cell, { expected: 'a record', example: 'Loan L1 by Cleo with item CA-0001, state Requested' })
    return null
  }
  cast.records.set(name.text, entity)
  const { partOf } = context.entityByKey.get(entity)!
  if (partOf !== null) return madeWithParent(context, cell, entity, section)
  const [by = null, ...more] = byParts === null ? [] : makerIn(context, cast, byParts.after)
  if (more[0] !== undefined) {
    cast.isBroken = true
    const near = misspelt(more[0], ['with'])
    const fixes = near === null ? [] : [writeInstead(near.begin, near.meant)]
    report('N1007', more[0], { expected: '`with` and values', example: 'Loan L1 by Cleo with item CA-0001' }, { fixes })
    return null
  }
  if (by !== null && !cast.people.has(by.text)) unknownName(context, cast, by, 'person', cast.people.keys(), section)
  const { values, state } = readValues(context, cast, entity, withParts?.after ?? null, section)
  return {
    kind: 'record',
    entity,
    name: name.text,
    by: by?.text ?? null,
    values,
    without: without.map(({ text }) => text),
    state,
  }
}

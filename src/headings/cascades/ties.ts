/** What findings deny and rest on: what their reporters say, and what the rows of their codes tell of names and headings. */
import type { Diagnostic, Fact } from '../../document/diagnostic.ts'
import type { Span } from '../../document/source.ts'
import { keyOf, nameMeant } from '../../expression/names.ts'
import { allCodes } from '../all-codes.ts'
import { headingOfTable } from '../recovery/forms.ts'
import { declaredIn, headingAbove, isMisplaced, lineOf, misnamed, recordsOf, textAt, titleAbove } from './about.ts'
import { facts } from './facts.ts'
import type { Ties } from './walk.ts'

const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/** Only `errors` hide what else a document says; of the other findings only their reporters say what they deny. */
export function tiesIn(errors: readonly Diagnostic[]): (one: Diagnostic) => Ties {
  const placeOf = ({ span, section }: Diagnostic) => `${section} ${titleAbove(span, 3)}`
  const misplaced = Map.groupBy(errors.filter(isMisplaced), placeOf)
  /** Several lines together that nothing reads: what they say belongs to the heading as a whole. */
  const isOneOfSeveral = (one: Diagnostic) => isMisplaced(one) && misplaced.get(placeOf(one))!.length > 1
  const isAnyTorn = errors.some(isTorn)
  return one => ({
    denies: [
      ...(one.subject === undefined ? [] : [one.subject]),
      ...(one.severity === 'error' ? hiddenBy(one, isOneOfSeveral(one)) : []),
    ],
    rests: [...(one.causes ?? []), ...lookedAt(one), ...(isAnyTorn && one.code !== 'N0311' ? [lineRead(one)] : [])],
  })
}

function hiddenBy(one: Diagnostic, isOneOfSeveral: boolean): readonly Fact[] {
  const { code, section, span } = one
  const hides = allCodes.get(code)?.hides
  const unread = hides === 'document' ? nine : hides === 'heading' || isOneOfSeveral ? [section] : []
  const strayed = code === 'N0324' ? headingOf(span) : null
  const declares = declaredIn(code)
  const name = textAt(span)
  return [
    ...unread.map(facts.whole),
    ...(strayed === null ? [] : [facts.whole(strayed)]),
    ...(isMisplaced(one) ? [facts.placed(section), ...listRead(one)] : []),
    ...(isTorn(one) ? [lineRead(one)] : []),
    ...(code === 'N1004' ? [belowHeading(one)] : []),
    ...(code === 'N1301' || code === 'N1305' ? [facts.entities] : []),
    ...(noFields.has(code) ? [facts.fieldNamed(name)] : []),
    ...((code === 'N1008' && one.fixes.length === 0) || (code !== 'N1010' && section === 6) ? [facts.people] : []),
    ...(declares === undefined ? [] : [facts.known(declares)]),
    ...(misnamed.has(code) ? [facts.spelt(keyOf(name)), facts.spelt(nameMeant(name))] : []),
  ]
}

function lookedAt(one: Diagnostic): readonly Fact[] {
  const { code, span } = one
  const looksAt = isOfLink(one) ? [6] : (allCodes.get(code)?.looksAt ?? [])
  const section = sectionOf(one)
  return [
    ...looksAt.flatMap(heading => [facts.whole(heading), facts.placed(heading), facts.known(heading)]),
    // A name in the keys of a screen whose heading is missing: they stand in a list behind those of another.
    ...(one.section === 2 && declaredIn(code) !== undefined ? listRead(one) : []),
    ...(code === 'N0310' ? [belowHeading(one)] : []),
    ...(afterEntity.has(code) ? [facts.entities] : []),
    ...(code === 'N1601' ? [facts.fieldNamed(textAt(span).split('.')[0]!)] : []),
    // Whose record a call or a mail is about, the step or timer says that starts it.
    ...(code === 'N0220' && one.section === 7 ? [facts.whole(4), facts.placed(4)] : []),
    // Without a role nobody has it.
    ...(recordsOf(one) === 'Person' ? [facts.people, facts.known(6)] : []),
    // Sample data may stand anywhere.
    ...(ofSamples.has(code) ? [...nine.map(facts.whole), facts.placed(3)] : []),
    ...(section === undefined ? [] : [facts.whole(section), facts.spelt(keyOf(textAt(span)))]),
  ]
}

/** The heading whose names a finding lacks. States, and the field that holds them, come from heading 4. */
function sectionOf({ code, causes, span }: Diagnostic): number | undefined {
  const isState = causes?.includes(facts.whole(4)) || (noFields.has(code) && textAt(span) === 'state')
  return isState ? 4 : declaredIn(code)
}

/** There is no field of that name. */
const noFields = new Set(['N0201', 'N1205', 'N1304'])

/** A record or a person that nothing introduces. */
const ofSamples = new Set(['N1008', 'N1010'])

/** What an entity that there is not leaves behind: no record, no list, no steps, nothing that a scenario could do. */
const afterEntity = new Set(['N0220', 'N1007', 'N1008', 'N1010', 'N1316', 'N1722'])

/** A row with more cells than its header, of which nobody knows which is too many. */
const isTorn = ({ code, fixes }: Diagnostic): boolean => code === 'N0311' && fixes.every(({ kind }) => kind !== 'write')

const lineRead = ({ span }: Diagnostic): Fact => facts.read('line', span.file.path, lineOf(span).start)

const belowHeading = ({ span }: Diagnostic): Fact =>
  facts.read('below', span.file.path, headingAbove(span, 4)?.start ?? 0)

/** The list that a place stands in, if another list stands directly above it. */
function listRead({ span: { file, start } }: Diagnostic): readonly Fact[] {
  const begin = file.text.lastIndexOf('\n\n', start)
  const above = file.text.slice(0, Math.max(0, begin)).trimEnd()
  const isSecond = above.slice(above.lastIndexOf('\n') + 1).startsWith('- **')
  return isSecond ? [facts.read('list', file.path, begin)] : []
}

/** The address of a link, which a role has. */
const isOfLink = ({ code, span }: Diagnostic): boolean => code === 'N0201' && textAt(span) === 'link'

/** The heading that a table belongs to which is not understood where it stands. */
function headingOf(span: Span): number | null {
  const header = textAt(lineOf(span)).replace(/^\s*\||\|\s*$/g, '')
  return headingOfTable(header.split('|').map(text => text.trim()))
}

/** Heading 2 into the model: rows of the routes table and the headings 3 of the same name are one screen. */
import { type NamedRow, readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nearest } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'
import type { Subject } from '../../document/tree.ts'
import { codeOf } from '../../expression/names.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import { readPart } from '../../kinds/screens/members.ts'
import type { Product } from '../1-product/model.ts'
import { readRoles } from '../6-permissions/declare.ts'
import { blockKind } from '../blocks.ts'
import { type Context, cellOrNull, documentReporter, readSpecified, readTables, sectionsOf } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { bothPlaces, evened, type Names, names } from '../names.ts'
import { specified } from '../specified.ts'
import { reportBlock } from '../structure.ts'
import { screenCodes } from './codes.ts'
import { reportIdlePeriod } from './idle.ts'
import type { Audience, Screen } from './model.ts'
import { screenReader } from './reader.ts'
import { readRoute } from './route.ts'
import { kindWritten, readShows } from './shows.ts'
import { properties, routes, screenKeys } from './table.ts'

const section = 2

export interface ScreenDraft {
  readonly name: string
  readonly cell: Cell
  readonly row: NamedRow<'Route' | 'Screen' | 'For' | 'Shows'> | null
  readonly subject: Subject | null
}

/** The table that screens are declared in; a name that is given twice is reported. */
export function screenNames(context: Pick<Context, 'found'>): Names<ScreenDraft> {
  const { report } = reporter(screenCodes, section, context.found)
  return names<ScreenDraft>(context.found, {
    twice: (cell, first) => report('N1201', cell, { name: cell.text }, bothPlaces(cell, first)),
    unknown: () => undefined,
  })
}

/** Every screen, in the order of the document. Entities, roles and workflows must be known. */
export function readScreens(context: Context, translations: Product['translations']): readonly Screen[] {
  return declareScreens(context).map(draft => readScreen(context, draft, translations))
}

function declareScreens(context: Context): readonly ScreenDraft[] {
  const subjects: Subject[] = []
  for (const content of sectionsOf(context, section)) {
    subjects.push(...content.subjects)
    for (const row of readTables(context, content, section, [routes]).rows(routes)) {
      const cell = row.cell('Screen')!
      if (cell.text !== '')
        context.screens.declare(cell, cell.text, { name: evened(cell.text), cell, row, subject: null })
    }
  }
  const drafts = new Map(context.screens.all)
  const titles = new Set(subjects.map(({ title }) => evened(title.text)))
  const undescribed = [...drafts.keys()].filter(name => !titles.has(name))
  const described = new Map<string, Subject>()
  for (const subject of subjects) {
    const name = evened(subject.title.text)
    const row = drafts.get(name)?.row ?? null
    readTables(context, subject, section, [])
    const first = described.get(name)
    if (first !== undefined) {
      const { report } = reporter(screenCodes, section, context.found)
      report('N1201', subject.title, { name }, { related: [{ span: first.title, message: 'first here' }] })
      continue
    }
    described.set(name, subject)
    const near = row === null ? nearest(name, undescribed) : null
    if (near !== null && !subject.properties.some(({ key }) => /^route$/i.test(key.text))) {
      const { report } = reporter(screenCodes, section, context.found)
      report(
        'N1218',
        subject.title,
        { name, meant: `; did you mean \`${near}\`?` },
        { fixes: [writeInstead(subject.title, near)] },
      )
      continue
    }
    drafts.set(name, { name, cell: row?.cell('Screen') ?? subject.title, row, subject })
  }
  return [...drafts.values()]
}

function readScreen(context: Context, draft: ScreenDraft, translations: Product['translations']): Screen {
  const { name, cell, subject } = draft
  const written = readKeys(context, draft)
  const keys: Keys = key => written?.cell(key) ?? null
  const asked = (column: 'Route' | 'For' | 'Shows') => saidOnce(context, draft, keys, column) ?? { ...cell, text: '' }
  const screen = { screen: name }
  const shows = readSpecified(context, asked('Shows'), open(section, 'screenContent', screen), written =>
    readShows(context, written, asked('Route').text.endsWith('}')),
  )
  const kind = kindOf({ shows })
  const members = kind?.members ?? {}
  const homeFor = cellOrNull(keys('Home for'))
  // What may stand below a screen of which nobody knows what it shows, nobody knows either.
  if (kind !== null && !Object.values(members).some(({ divides }) => divides))
    for (const { title } of subject?.blocks ?? [])
      if (blockKind(title) === 'other') reportBlock(context, section, title, '`Scenario: …`')
  const read: Screen = {
    key: codeOf(name),
    name: cell,
    route: readSpecified(context, asked('Route'), open(section, 'screenRoute', screen), written =>
      readRoute(context, written, specified(shows)),
    ),
    for: readSpecified(context, asked('For'), open(section, 'screenAudience', screen), written =>
      readAudience(context, written),
    ),
    shows,
    homeFor: homeFor === null ? null : readRoles(context, homeFor, section),
    part: readPart(members, screenReader(context, { name: cell, shows, subject, keys: written, translations })),
    meaning: cellOrNull(keys('Meaning')),
  }
  reportIdlePeriod(context, cellOrNull(keys('Period')), read)
  return read
}

type Keys = (name: string) => Cell | null

/** The bold keys below a screen's heading; which ones may stand there, its kind says. */
function readKeys(context: Context, draft: ScreenDraft): NamedRow | null {
  if (draft.subject === null) return null
  const { subject } = draft
  const written = draft.row?.cell('Shows') ?? subject.properties.find(({ key }) => /^shows$/i.test(key.text))?.value
  const kind = written === undefined ? null : kindWritten(written)
  const known = kind === null ? properties : screenKeys(kind.name, [kind])
  const understood = subject.properties.filter(({ key }) => !isSaidElsewhere(context, key))
  return readProperties(understood, known, subject.title, documentReporter(context, section))
}

/** Keys of lists elsewhere that another heading or another kind of screen says here; reported. */
function isSaidElsewhere(context: Context, key: Cell): boolean {
  const word = key.text.toLowerCase()
  if (word !== 'group' && word !== 'export' && word !== 'import') return false
  const said =
    word === 'group'
      ? {
          why: 'a list has no groups',
          instead:
            'Show `report of … by …` or `board of … by …`, or let records of one group stand together: `- **Sort:** category, name`.',
        }
      : {
          why: 'heading 6 decides who may',
          instead: `Take it out, and write \`${key.text}\` as a column of the entity's permissions: yes or no for each role${word === 'export' ? ', or a condition' : ''}. Whoever may finds it over every list.`,
        }
  reporter(screenCodes, section, context.found).report('N1250', key, { key: key.text, ...said })
  return true
}

/** What the table and the bold keys say together: it may be said in both places, but not differently. */
function saidOnce(context: Context, { row }: ScreenDraft, keys: Keys, column: 'Route' | 'For' | 'Shows'): Cell | null {
  const inTable = row?.cell(column) ?? null
  const below = keys(column)
  if (inTable === null || below === null) return inTable ?? below
  if (evened(inTable.text) !== evened(below.text)) {
    const { report } = reporter(screenCodes, section, context.found)
    const fix = { title: `write \`${inTable.text}\` as in the table`, edits: [{ span: below, text: inTable.text }] }
    report('N1207', below, { key: column }, { related: [{ span: inTable, message: 'the table says' }], fixes: [fix] })
  }
  return inTable
}

function readAudience(context: Context, cell: Cell): Audience | null {
  if (/^everyone$/i.test(cell.text)) return { kind: 'everyone', cell }
  if (/^everyone signed[ -]in$/i.test(cell.text)) return { kind: 'everyone signed in', cell }
  const roles = readRoles(context, cell, section, ['everyone', 'everyone signed in'])
  return roles === null ? null : { kind: 'roles', ...roles }
}

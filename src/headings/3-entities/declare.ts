/** Entities by name, before anything that names them is read. */

import { renamed, slice, trimmed } from '../../document/cell.ts'
import { type NamedRow, readProperties } from '../../document/columns.ts'
import type { CsvTable } from '../../document/csv.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nearest } from '../../document/nearest.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Block, Subject } from '../../document/tree.ts'
import { isName, keyOf } from '../../expression/names.ts'
import { blockKind, blockName } from '../blocks.ts'
import { type Context, documentReporter, leaveOpen, listed, readTables, sectionsOf } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { bothPlaces, evened, misspelt, type Names, names } from '../names.ts'
import { entityCodes } from './codes.ts'
import { readSampleFile } from './sample-file.ts'
import { entityKeys, fields } from './table.ts'

const section = 3

export interface FieldGroup {
  readonly name: Cell
  readonly fields: readonly string[]
}

export interface EntityDraft {
  readonly key: string
  readonly name: string
  readonly cell: Cell
  readonly was: string | null
  /** Resolved after all entities are declared. */
  readonly partOf: Cell | null
  readonly builtIn: boolean
  /** `- **Tenant:** none`: its records are everybody's. */
  readonly shared: Cell | null
  readonly rows: readonly NamedRow<'Field' | 'Type' | 'Rules' | 'Label' | 'Meaning'>[]
  /** `#### Fields: medical`: the rows of its table are fields like others; permissions name them together. */
  readonly groups: readonly FieldGroup[]
  readonly samples: readonly Block[]
  /** `- **Sample data:** [items.csv](data/items.csv)`; null: there is none, or it could not be read. */
  readonly sampleFile: { readonly cell: Cell; readonly table: CsvTable } | null
  /** What stands behind `Append only`. */
  readonly appendOnly: Cell | null
  /** What stands behind `Comments`; null: nothing does. */
  readonly comments: Cell | null
  readonly timeline: Cell | null
  readonly refused: Cell | null
  readonly once: Cell | null
  /** What stands behind `Delete`. */
  readonly archives: Cell | null
  /** What stands behind `Frozen`. */
  readonly frozen: Cell | null
  readonly keep: Cell | null
  /** What stands behind `Exchange rates`. */
  readonly exchange: Cell | null
  /** What stands behind each `Mark`. */
  readonly marks: readonly Cell[]
  readonly order: Cell | null
  /** What stands behind `Face`. */
  readonly face: Cell | null
  readonly readLog: Cell | null
  /** What stands behind `Sign-in when`. */
  readonly signInWhen: Cell | null
  readonly table: Cell | null
  readonly meaning: readonly Cell[]
}

/** Entities are named as their heading writes them: `Loan line`. */
export function entityNames(context: Pick<Context, 'found'>): Names<EntityDraft> {
  const { report } = reporter(entityCodes, section, context.found)
  const found: Names<EntityDraft> = names<EntityDraft>(context.found, {
    twice: (cell, first) => report('N1302', cell, { name: cell.text }, bothPlaces(cell, first)),
    unknown: (cell, meant, options) =>
      report('N1301', cell, { name: cell.text, meant, known: listed(found.all.keys()) }, options),
  })
  return found
}

/** The name of an entity and its parentheses; misspelt ones are reported and read as what they probably mean. */
function titleParts(
  context: Context,
  { title, was, partOf }: Subject,
): { readonly name: Cell; readonly was: Cell | null; readonly partOf: Cell | null } {
  const open = title.text.indexOf('(')
  if (open < 0) return { name: title, was, partOf }
  const { report } = reporter(entityCodes, section, context.found)
  const inside = trimmed(slice(title, open + 1, title.text.replace(/\)\s*$/, '').length))
  const near = misspelt(inside, ['part of', 'was'])
  const fixes = near === null ? [] : [writeInstead(near.begin, near.meant)]
  const place = near?.begin ?? slice(title, open)
  report('N1309', place, { name: title.text, why: 'in parentheses stand only `part of` and `was`' }, { fixes })
  const rest = near === null ? null : trimmed(slice(inside, near.begin.text.length))
  return {
    name: trimmed(slice(title, 0, open)),
    was: near?.meant === 'was' ? rest : was,
    partOf: near?.meant === 'part of' ? rest : partOf,
  }
}

/** Declares the entities of heading 3, and `Person`, which is always there. */
export function declareEntities(context: Context, nowhere: Cell): void {
  const byKey = context.entityByKey
  const { report } = reporter(entityCodes, section, context.found)
  for (const content of sectionsOf(context, section)) {
    readTables(context, content, section, [])
    for (const subject of content.subjects) {
      const draft = draftOf(context, subject)
      if (!isName(draft.key)) report('N1309', draft.cell, { name: draft.name, why: whyNoName(draft.key) })
      else if (context.entities.declare(draft.cell, draft.name, draft)) byKey.set(draft.key, draft)
    }
  }
  if (!byKey.has('person')) {
    const person: EntityDraft = {
      key: 'person',
      name: 'Person',
      cell: { ...nowhere, text: 'Person', gaps: [] },
      was: null,
      partOf: null,
      builtIn: true,
      shared: null,
      rows: [],
      groups: [],
      samples: [],
      sampleFile: null,
      appendOnly: null,
      comments: null,
      timeline: null,
      refused: null,
      once: null,
      archives: null,
      frozen: null,
      keep: null,
      exchange: null,
      marks: [],
      order: null,
      face: null,
      readLog: null,
      signInWhen: null,
      table: null,
      meaning: [],
    }
    context.entities.declare(person.cell, 'Person', person)
    byKey.set('person', person)
  }
}

export const whyNoName = (key: string): string =>
  key === ''
    ? 'it has no letters from a to z'
    : /^[a-z]/.test(key)
      ? 'it is a word of the expression language'
      : 'it begins with a digit'

/** Whether a bold key under an entity's heading is one that it reads. */
export const isEntityKey = (key: string): boolean =>
  entityKeys.columns.some(({ name }) => name.toLowerCase() === key.toLowerCase())

/**
 * `### Persons`, where nothing else of the document is called so: what it says is about `Person`, which is always there.
 * Reports it.
 */
function isMeantAsPerson({ document, found }: Context, { title }: Subject, named: Cell): boolean {
  if (nearest(named.text, ['Person', 'People']) === null || keyOf(named.text) === 'person') return false
  const isUsed = document.files.flatMap(({ text }) => text.split(named.text).slice(1)).length > 1
  if (isUsed) return false
  const others = document.sections
    .flatMap(({ number, subjects }) => (number === section ? subjects : []))
    .flatMap(other => (other.title === title ? [] : other.title.text))
  if (others.some(other => keyOf(other) === 'person')) return false
  const parameters = { name: named.text, meant: '; did you mean `Person`?', known: listed([...others, 'Person']) }
  reporter(entityCodes, section, found).report('N1301', named, parameters, { fixes: [writeInstead(named, 'Person')] })
  return true
}

function draftOf(context: Context, subject: Subject): EntityDraft {
  const grouped = subject.blocks
    .filter(block => blockKind(block.title) === 'fields')
    .map(block => ({ name: blockName(block.title), rows: readTables(context, block, section, [fields]).rows(fields) }))
  const rows = [
    ...readTables(context, subject, section, [fields]).rows(fields),
    ...grouped.flatMap(group => group.rows),
  ]
  const own = subject.properties.filter(({ key }) => isEntityKey(key.text))
  const keys = readProperties(own, entityKeys, subject.title, documentReporter(context, section))
  const samples = subject.blocks.filter(block => blockKind(block.title) === 'sample data')
  const { name: named, partOf, was } = titleParts(context, subject)
  const name = isMeantAsPerson(context, subject, named) ? 'Person' : evened(named.text)
  const builtIn = keyOf(name) === 'person'
  if (rows.length === 0 && subject.tables.length === 0 && !builtIn) {
    const said = subject.prose.flatMap(cell => {
      const kind = nothing(cell)
      return typeof kind === 'object' && kind !== null ? [{ cell, kind }] : []
    })[0]
    leaveOpen(context, said?.cell ?? subject.title, open(section, 'fields', { entity: name }), said?.kind)
  }
  return {
    key: keyOf(name),
    name,
    cell: named,
    was: was === null ? null : keyOf(was.text),
    partOf,
    builtIn,
    shared: readShared(context, keys.cell('Tenant')),
    rows,
    groups: readGroups(context, rows, grouped),
    samples,
    sampleFile: readSampleFile(context, keys.cell('Sample data')),
    appendOnly: keys.cell('Append only'),
    comments: keys.cell('Comments'),
    timeline: keys.cell('Timeline'),
    refused: keys.cell('Refused attempts'),
    once: keys.cell('Once per'),
    archives: keys.cell('Delete'),
    frozen: keys.cell('Frozen'),
    keep: keys.cell('Keep'),
    exchange: keys.cell('Exchange rates'),
    marks: keys.all('Mark'),
    order: keys.cell('Order'),
    face: keys.cell('Face'),
    readLog: keys.cell('Read log'),
    signInWhen: keys.cell('Sign-in when'),
    table: keys.cell('Table'),
    meaning: subject.prose,
  }
}

/** A name stands for one thing: for one group, and for no field. */
function readGroups(
  context: Context,
  rows: EntityDraft['rows'],
  written: readonly { readonly name: Cell; readonly rows: EntityDraft['rows'] }[],
): readonly FieldGroup[] {
  const { report } = reporter(entityCodes, section, context.found)
  const keysOf = (all: EntityDraft['rows']) => all.map(row => renamed(row.cell('Field')!).name.text)
  const taken = new Set(keysOf(rows))
  return written.flatMap(({ name, rows: own }) => {
    const why =
      name.text === '' ? 'it has none' : taken.has(name.text) ? 'it is taken by a field or another group' : null
    taken.add(name.text)
    if (why !== null) report('N1352', name, { name: name.text, why })
    return why === null ? [{ name, fields: keysOf(own) }] : []
  })
}

/** `- **Tenant:** none`; whose the records are otherwise, heading 1 says for all. */
function readShared(context: Context, cell: Cell | null): Cell | null {
  if (cell === null || nothing(cell) === 'none') return cell
  const { report } = reporter(entityCodes, section, context.found)
  report('N1350', cell, { written: cell.text }, { fixes: [writeInstead(cell, 'none')] })
  return null
}

/** A document as it is served: everything that is worked out once per version of the document, and not once per request. */

import { position } from '../document/cell.ts'
import type { Cell } from '../document/source.ts'
import { languageOf } from '../expression/catalogue.ts'
import { memoize } from '../expression/memoize.ts'
import type { FieldShape, Type } from '../expression/type.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { AskedField, Transition, Workflow } from '../headings/4-states/model.ts'
import { movesOf } from '../headings/4-states/moves.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { appIn, wordFor } from '../headings/translate.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import type { ReadRow, StepVerdict } from '../kinds/screens/read-data.ts'
import type { Mark, StateView } from '../kinds/screens/view-model.ts'
import { stateIn } from '../run/names.ts'
import type { Actor, Runtime } from '../run/request.ts'
import { localeOf } from '../ui/format.ts'
import { type DiagramLayout, layoutOf } from '../ui/layout.ts'
import { type Reader, type ReaderOptions, readerOf } from '../ui/reader.tsx'
import { type Ring, ringsOf, unknownRing } from '../ui/states.ts'
import { mayOpen } from './access.ts'
import { type Routes, routesOf } from './routes.ts'
import { sentences } from './sentences.ts'

export interface Site {
  readonly runtime: Runtime
  readonly app: App
  readonly routes: Routes
  readonly reader: Reader
  readonly graphs: ReadonlyMap<string, Graph>
  /** The line that a cell stands on. */
  readonly mark: (cell: Cell) => Mark
}

/** The states of an entity, as they are drawn. */
interface Graph {
  readonly workflow: Workflow
  readonly rings: ReadonlyMap<string, Ring>
  /** By the names that people read, see `wordFor`. Laid out when it is first asked for: that takes as long as reading the whole document. */
  readonly layout: () => Promise<DiagramLayout>
}

/** A field as a screen shows it: declared by the document, or built in (`state`). */
export interface FieldInfo {
  readonly key: string
  readonly label: string
  readonly type: Type
  /** Null for what is built in. */
  readonly field: Field | null
  readonly cell: Cell | null
}

interface SiteOptions {
  readonly provenance: boolean
  /** Address of the page that shows the document; null where there is none. */
  readonly document: string | null
}

/** The site in the first language of its document; `siteFor` gives the others. */
export function siteOf(runtime: Runtime, options: SiteOptions): Site {
  const { app } = runtime
  const reader = readerOf({
    locale: localeOf(app.language),
    zone: app.product.timeZone.name,
    provenance: options.provenance,
    document: options.document,
  })
  return {
    runtime,
    app,
    routes: routesOf(app),
    reader,
    graphs: graphsOf(app),
    mark: marksOf(app),
  }
}

const stateViews = new WeakMap<Site, Map<string, StateView>>()

/** The same one each time: what depends on it need not look into it. */
export function stateView(site: Site, entity: string, state: string): StateView {
  const views = memoize(stateViews, site, () => new Map<string, StateView>())
  return memoize(views, `${entity} ${state}`, () => ({
    name: state,
    label: wordFor(site.app, state),
    ring: site.graphs.get(entity)?.rings.get(state) ?? unknownRing,
  }))
}

/** The state that a record is in, as screens show it; null: it has none, or its reader does not see it. */
export function stateShown(site: Site, entity: string, { values }: Pick<ReadRow, 'values'>): StateView | null {
  const state = stateIn(site.app, entity, values)
  return state === null ? null : stateView(site, entity, state)
}

/** A field of an entity as screens name it. Null: there is none such. */
export function fieldInfo(app: App, entity: string, key: string): FieldInfo | null {
  const of = app.entities.get(entity)
  const shape = of?.shape.fields.get(key)
  if (of === undefined || shape === undefined) return null
  const field = of.fields.find(candidate => candidate.key === key)
  if (field !== undefined) return { key, label: field.label, type: field.type, field, cell: field.cell }
  return builtIn(app, of, shape)
}

/** The site as pages about the document show it: with its lines, and links to them. */
export const linesShown = readBy({ provenance: true, document: '/-/document' })

/** The site as pages of others show it, in `dev` too: without lines of the document. */
export const linesHidden = readBy({ provenance: false, document: null })

function readBy(options: Pick<ReaderOptions, 'provenance' | 'document'>): (site: Site) => Site {
  const known = new WeakMap<Site, Site>()
  return site => memoize(known, site, () => ({ ...site, reader: readerOf({ ...site.reader.options, ...options }) }))
}

const opened = new WeakMap<Site, Map<string, Site>>()

/** The site with the addresses of records as whoever asks may open them. */
export function siteOpenTo(site: Site, actor: Actor): Site {
  const { deciding } = site.routes
  if (deciding.length === 0) return site
  const opens = (screen: Screen) => mayOpen(screen, actor)
  const key = deciding.map(screen => Number(opens(screen))).join('')
  const known = memoize(opened, site, () => new Map<string, Site>())
  return memoize(known, key, () => ({ ...site, routes: routesOf(site.app, opens) }))
}

const inLanguages = new WeakMap<Site, Map<string, Site>>()

/** The site in a language that heading 1 declares (its tag), with moments in a time zone; null: the application's. */
export function siteFor(site: Site, language: string, zone: string | null): Site {
  const key = `${language} ${zone ?? ''}`
  const known = inLanguages.get(site) ?? new Map<string, Site>([[`${site.app.language} `, site]])
  inLanguages.set(site, known)
  const made = known.get(key) ?? translatedSite(site, language, zone)
  known.set(key, made)
  return made
}

function translatedSite(site: Site, language: string, zone: string | null): Site {
  const app = appIn(site.app, language)
  const { options } = site.reader
  const reader = readerOf({ ...options, locale: localeOf(language), zone: zone ?? options.zone })
  return { ...site, app, runtime: { ...site.runtime, app }, routes: routesOf(app), reader, graphs: graphsOf(app) }
}

/**
 * "Loan line" → "loan line", for the middle of an English sentence; names that are more than a capital at the front stay (`PC`,
 * `VAT id`). Other languages keep what the document writes.
 */
export const inSentence = ({ reader }: Pick<Site, 'reader'>, name: string): string =>
  languageOf(reader.locale) === 'en' && /^\p{Lu}\p{Ll}/u.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name

/** The entity whose records a field names through links; null: it is no such field. */
export const linksTo = ({ field, type }: Pick<FieldInfo, 'field' | 'type'>): string | null =>
  field !== null && type.kind === 'list' && fieldKind(field.kind).links === true ? type.entity : null

/** "hand out" → "Hand out". */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** All rows of one step, in the document's order: branches. */
export const branchesOf = (app: App, entity: string, step: string): readonly Transition[] =>
  app.workflows.get(entity)?.transitions.filter(({ key }) => key === step) ?? []

/**
 * What a step asks for in a state, over all its branches from there; where the state is not known, over all. Required is what
 * every branch requires. Where the verdict is that one of them is open, that one alone: it is the one that is taken.
 */
export function askedBy(
  app: App,
  entity: string,
  step: string,
  state: unknown,
  verdict: Pick<StepVerdict, 'open' | 'branch'> | null = null,
): readonly AskedField[] {
  const branches = branchesOf(app, entity, step).filter(
    ({ from, cell }) =>
      (typeof state !== 'string' || (specified(from)?.includes(state) ?? false)) &&
      (verdict?.open !== true || verdict.branch === cell),
  )
  const asked = new Map<string, AskedField>()
  for (const { asks } of branches) {
    for (const one of asks) {
      const required = branches.every(branch => branch.asks.some(other => other.field === one.field && other.required))
      if (!asked.has(one.field)) asked.set(one.field, { ...one, required })
    }
  }
  return [...asked.values()]
}

function builtIn(app: App, entity: Entity, shape: FieldShape): FieldInfo {
  const label =
    shape.key === entity.partOf ? (app.entities.get(entity.partOf)?.name ?? shape.key) : builtInLabel(app, shape.key)
  const cell = shape.key === 'state' ? (app.workflows.get(entity.key)?.cell ?? null) : null
  return { key: shape.key, label, type: shape.type, field: null, cell }
}

function builtInLabel(app: App, key: string): string {
  const known = builtInKeys.find(one => one === key)
  return known === undefined ? capital(key) : sentences.in(app.language)(`builtIn.${known}`)
}

const builtInKeys = [
  'state',
  'state_since',
  'created_at',
  'created_by',
  'changed_at',
  'changed_by',
  'archived_at',
  'position',
] as const

const graphsIn = new WeakMap<App, ReadonlyMap<string, Graph>>()

const graphsOf = (app: App): ReadonlyMap<string, Graph> =>
  memoize(graphsIn, app, () => new Map([...app.workflows].map(([key, workflow]) => [key, graphOf(app, workflow)])))

function graphOf(app: App, workflow: Workflow): Graph {
  const { states } = workflow
  const moves = movesOf(app, workflow)
  const called = (state: string) => wordFor(app, state)
  let layout: Promise<DiagramLayout> | null = null
  return {
    workflow,
    rings: ringsOf(states, moves),
    layout: () =>
      (layout ??= layoutOf(
        states.map(state => ({ ...state, name: called(state.name) })),
        moves.map(move => ({ ...move, from: called(move.from), to: called(move.to) })),
      )),
  }
}

function marksOf(app: App): Site['mark'] {
  const known = new WeakMap<Cell, Mark>()
  const open = new Set(app.gaps.map(gap => gap.cell))
  return cell => {
    let mark = known.get(cell)
    if (mark === undefined) {
      const { line } = position(cell.file, cell.start)
      const unspecified = open.has(cell)
      mark = { section: sectionOf(app, cell), line, file: cell.file.path, ...(unspecified ? { unspecified } : {}) }
      known.set(cell, mark)
    }
    return mark
  }
}

/** The heading that a place stands under: the last one of its file that begins before it. */
function sectionOf(app: App, cell: Cell): number {
  let number = 0
  let start = -1
  for (const { title, number: candidate } of app.document.sections)
    if (title.file === cell.file && title.start <= cell.start && title.start > start) {
      number = candidate
      start = title.start
    }
  return number
}

/** Answers what pages of screen kinds ask: `kinds/screens/presenter.ts`. */
import type { Screen } from '../headings/2-screens/model.ts'
import { specified } from '../headings/specified.ts'
import type { Beside, Changing, FigureWords, Presenter } from '../kinds/screens/presenter.ts'
import type { ReadRow } from '../kinds/screens/read-data.ts'
import type { Address, GroupsNeed, InboxNeed, RowsNeed } from '../kinds/screens/screen-kind.ts'
import type { StepLinkView } from '../kinds/screens/view-model.ts'
import { editable } from '../run/access/editable.ts'
import { isLogged } from '../run/access/read-log.ts'
import { toldText } from '../run/access/told.ts'
import { readDecided } from '../run/read/decided.ts'
import { readInbox } from '../run/read/inbox.ts'
import { read } from '../run/read/read.ts'
import { mayEnter, openScreens } from './access.ts'
import { screenBlock } from './blocks.ts'
import { countsFor, inboxOf, withPlace } from './counts.ts'
import { withList } from './from-list.ts'
import { csrfInput, hereHref } from './pages.tsx'
import { findRecord, isLookup } from './records.ts'
import { isSignedIn, type RequestContext, readingAtOnce } from './request-context.ts'
import { heldLink } from './routes/held.tsx'
import { placeHref, recordHref } from './routes.ts'
import { chartView, sizeOf } from './screens/chart.ts'
import {
  actionsOf,
  addressValue,
  assumedOf,
  type Building,
  building,
  createLink,
  headOf,
  isDangerous,
  marksOf,
  namingFields,
  nextName,
  noneOf,
  openHref,
  openHrefAt,
  screenMark,
  titleOf,
  valueAt,
} from './screens/common.ts'
import { draftLinks } from './screens/drafts.ts'
import { faceFields, faceView, factAt } from './screens/face.ts'
import {
  columnTexts,
  exactTexts,
  figureFiles,
  firstOf,
  groupLabel,
  keyCell,
  keyText,
  linesView,
  mayExport,
  measureCells,
  measureIsNumeric,
  measureIsPercent,
  measureLabel,
} from './screens/figures.ts'
import { filterBar, notLooked } from './screens/filter-bar.ts'
import { filterRecords } from './screens/filter-records.ts'
import { builtAddress } from './screens/filters.ts'
import { keyFigure } from './screens/key-figure.ts'
import { leadsOf } from './screens/leads.ts'
import { recordPage } from './screens/record-page.ts'
import { isListOf } from './screens/search.ts'
import { childrenOf } from './screens/sections.ts'
import { similarNeed, tableView } from './screens/table.ts'
import { isByHand } from './screens/table-frame.ts'
import { thingsOf } from './screens/things.ts'
import { askedField, toldValue } from './screens/values.ts'
import { firstHref, saverOf, viewsOf } from './screens/views.ts'
import { addressOf } from './seen.ts'
import { say } from './sentences.ts'
import { exportName, paperFormat, sheetFormats } from './sheets.ts'
import { askedBy, branchesOf, capital, fieldInfo, type Site, stateView } from './site.ts'

export function presenterOf(context: RequestContext, segments: Address['segments']): Presenter {
  const build = building(context)
  const reading = readingAtOnce(context)
  const { site, runtime, request, path, query } = context
  const readBeside = async (screen: Screen, need: RowsNeed | GroupsNeed): Promise<Beside> => {
    const [records, held] = await Promise.all([
      filterRecords({ ...build, context: reading }, screen, need),
      heldLink(reading, need.entity),
    ])
    return { records, held }
  }
  return {
    app: site.app,
    reader: site.reader,
    path,
    address: addressOf(context, { segments, query }),
    asFile: query.has(exportName),
    asPaper: query.get(exportName) === paperFormat,
    at: other => presenterOf({ ...context, query: other }, segments),
    read: need => read(reading.runtime, request, need),
    readFigures: need => read(reading.runtime, request, need),
    readEach: async needs => {
      // What waits for somebody is counted with the first.
      const dataOf = async (need: (typeof needs)[number], index: number) => {
        const at = index === 0 ? reading.runtime : runtime
        if (need === null) return null
        return need.kind === 'figures' ? read(at, request, need) : read(at, request, need)
      }
      const [, ...data] = await Promise.all([countsFor(reading), ...needs.map(dataOf)])
      return data
    },
    readGroups: need => read(reading.runtime, request, need),
    recordAt: async (entity, address, fields) => {
      const place = site.routes.places.get(entity)
      return place === undefined || isLogged(site.app, entity) ? null : findRecord(context, place, address, fields)
    },
    builtAddress: entity => builtAddress(build, entity),
    lookup: async (screen, need, ignored) => {
      const { records, held } = await readBeside(screen, need)
      return {
        bar: (shown, of) => filterBar(build, screen, need, shown, { records, ...of }),
        ignored: notLooked(build, need, ignored),
        held,
      }
    },
    readOne: async need => (isLookup(need.by.value) ? read(runtime, request, { ...need, shown: 'page' }) : null),
    record: (screen, need, related) => recordPage(context, screen, need, related),
    waiting: (steps, limit) => readInbox(runtime, request, inboxNeed(site, steps, limit)),
    waitingCount: async screen =>
      inboxOf(site.app, request.actor) === screen ? (await countsFor(reading)).waiting : '',
    decided: (steps, limit) => readDecided(runtime, request, inboxNeed(site, steps, limit)),
    readBeside,
    nearly: similarNeed,
    table: (screen, table) => tableView(build, screen, table),
    views: screen => ({ views: viewsOf(build, screen), saver: saverOf(build, screen) }),
    firstView: screen => firstHref(build, screen),
    drafts: entity => draftLinks(build, entity),
    title: (entity, row) => titleOf(site, entity, row),
    called: (entity, row) => headOf(site, site.app.entities.get(entity)!, row).title,
    namingFields: entity => namingFields(site, entity),
    href: (entity, row) => openHref(build, entity, row),
    backTo: (entity, row) => {
      const href = openHref(build, entity, row)
      const label = say(site, 'backTo', { name: titleOf(site, entity, row) })
      return href === null ? null : { label, href: withList(context, href) }
    },
    hrefAt: (entity, address) => openHrefAt(build, entity, address),
    stepAt: (entity, address, step) => stepLink(context, entity, address, step),
    marks: (entity, row) => marksOf(site, entity, row),
    state: (entity, state) => stateView(site, entity, state),
    value: (entity, row, field) => valueAt(site, entity, row, field),
    label: (entity, field) => fieldInfo(site.app, entity, field)?.label ?? null,
    childTables: (entity, list, rows, columns, inner) => childrenOf(build, entity, list, rows, columns, inner),
    toldValue: (value, told) => toldValue(site, value, told),
    toldText: (text, told) => toldText(text, told, request),
    fact: (entity, row, field) => factAt(build, entity, row, field),
    changing: (entity, row, fields) => changingOf(context, entity, row, fields),
    actions: (buttons, entity, row) => actionsOf(build, buttons, entity, row),
    places: shown =>
      isSignedIn(context) && isByHand(site.app, shown)
        ? {
            action: placeHref(shown.entity),
            hidden: [csrfInput(context), { name: '_list', value: hereHref(context, String(query)) }],
          }
        : null,
    face: (entity, row) => faceView(build, entity, row),
    faceFields: entity => faceFields(site, entity),
    things: entity => thingsOf(site, entity),
    lines: (entity, columns, rows, empty) => linesView(build, entity, columns, rows, empty),
    allOf: entity => {
      const list = openScreens(site.app, request.actor).find(screen => isListOf(screen, entity))
      const href = list && specified(list.route)?.pattern
      return href === undefined ? null : { label: say(site, 'allOfThem', { things: thingsOf(site, entity) }), href }
    },
    leads: (entity, wheres) => leadsOf(build, entity, wheres),
    figures: figureWords(build),
    keyFigure: figures => keyFigure(build, figures),
    chart: figures => chartView(build, figures),
    component: (link, given) => screenBlock(build, link, given),
    create: (entity, verdict) => createLink(build, entity, verdict),
    markAt: cell => site.mark(cell),
    none: (entity, { emptyText, where }, filtered) =>
      filtered ? say(site, 'emptyFiltered') : (emptyText?.text ?? noneOf(site, entity, where !== null)),
    frame: (screen, entity) => ({
      title: screen.name.text,
      pageTitle: screen.name.text,
      meaning: screen.meaning?.text ?? null,
      crumbs: [],
      mark: screenMark(site, screen),
      assumed: assumedOf(site, entity),
    }),
    notUnderstood: parts => (parts.length === 0 ? [] : [say(site, 'notUnderstood', { parts: parts.join(', ') })]),
    asks: (parameter, answer) => askedField(site, parameter, answer),
    firstShown: (count, left) => (left === undefined ? say(site, 'firstShown', { count }) : firstOf(site, count, left)),
  }
}

function figureWords(build: Building): FigureWords {
  const { site, context } = build
  const file = sheetFormats.get(context.query.get(exportName) ?? '')
  return {
    group: by => groupLabel(site, by),
    key: (by, key) => (file === undefined ? keyText(site, by, key) : String(keyCell(site, by, key, false) ?? '')),
    measure: measure => measureLabel(site, measure),
    column: (measure, values) => columnTexts(site, measure, values),
    exact: (measure, values) => exactTexts(site, measure, values),
    cells: (measure, values) => measureCells(measure, values, file?.typed ?? false),
    keyCell: (by, key) => keyCell(site, by, key, file?.typed ?? false),
    isPercent: measureIsPercent,
    isNumber: measureIsNumeric,
    size: sizeOf,
    exports: (entity, query) => (mayExport(context, entity) ? figureFiles(site, context.path, query) : []),
  }
}

/** The form first: a step leads on to something else besides. */
function changingOf(
  { site, request }: RequestContext,
  entity: string,
  row: ReadRow,
  wanted: readonly string[],
): Changing | null {
  const place = site.routes.places.get(entity)
  const address = place === undefined ? null : addressValue(place, row)
  if (place === undefined || address === null || !mayEnter(place, request.actor)) return null
  const open = row.may.change.open ? editable(site.app, request.actor, entity).map(({ key }) => key) : []
  const fields = wanted.filter(field => open.includes(field))
  if (fields.length > 0) return { href: recordHref(place, address, '/edit'), isStep: false, fields }
  for (const { step, open } of row.may.steps) {
    const asked = open ? askedBy(site.app, entity, step, row.values.state).map(({ field }) => field) : []
    const set = wanted.filter(field => asked.includes(field))
    if (set.length > 0) return { href: recordHref(place, address, `/do/${step}`), isStep: true, fields: set }
  }
  return null
}

/** Records are linked to by what names them in addresses. */
function inboxNeed(site: Site, awaited: InboxNeed['steps'], limit: number): InboxNeed {
  const steps = withPlace(site, awaited)
  const entities = [...new Set(steps.map(({ entity }) => entity))]
  return {
    kind: 'inbox',
    steps,
    by: Object.fromEntries([...site.routes.places].map(([entity, { by }]) => [entity, by])),
    facts: Object.fromEntries(
      entities.map(entity => [entity, [...new Set([...namingFields(site, entity), ...faceFields(site, entity)])]]),
    ),
    limit,
  }
}

function stepLink(context: RequestContext, entity: string, address: string, step: string): StepLinkView {
  const { site } = context
  const branches = branchesOf(site.app, entity, step)
  const place = site.routes.places.get(entity)!
  return {
    key: step,
    label: capital(branches[0]!.name),
    href: `${recordHref(place, address, `/do/${step}`)}?${new URLSearchParams({ [nextName]: hereHref(context) })}`,
    danger: branches.every(({ to }) => isDangerous(site, entity, { to: specified(to) })),
  }
}

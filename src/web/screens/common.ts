/** What the builders of all screens share: names and addresses of records, buttons with their reasons, marks. */
import type { Cell } from '../../document/source.ts'
import type { Expression } from '../../expression/expression.ts'
import { assumptionOf } from '../../headings/2-screens/assumed.ts'
import type { Buttons, Screen } from '../../headings/2-screens/model.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import { joinedTitle, titleFields, titleParts } from '../../headings/3-entities/titles.ts'
import type { Who } from '../../headings/4-states/model.ts'
import { linkRoles } from '../../headings/6-permissions/links.ts'
import { isUnspecified, specified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import type { ReadRow, StepVerdict, Verdict } from '../../kinds/screens/read-data.ts'
import type {
  ActionView,
  Hidden,
  LinkView,
  Mark,
  MarkOf,
  ScreenView,
  ValueView,
} from '../../kinds/screens/view-model.ts'
import { policyFor } from '../../run/access/policy.ts'
import { approvalsOf } from '../../run/approvals/approvals.ts'
import { plainMessage } from '../../run/problems/raise.ts'
import { createVerdict } from '../../run/read/read.ts'
import { errorOf } from '../../run/write/step-closed.ts'
import { leadsBack, unknownRing } from '../../ui/states.ts'
import { mayOpen } from '../access.ts'
import { csrfInput } from '../pages.tsx'
import { casePath } from '../paths.ts'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import { fileAddress } from '../routes/files.ts'
import { type EntityRoutes, newHref, recordHref, whyHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { safeNext } from '../sign-in/next.ts'
import { askedBy, branchesOf, capital, fieldInfo, inSentence, type Site, stateView } from '../site.ts'
import { assumptionText } from './assumptions.ts'
import { conditionText, namedAs, readAs } from './conditions.ts'
import { lettersOf } from './letters.ts'
import { thingsOf } from './things.ts'
import { textOf, valueView } from './values.ts'

/** One page being built: who it is for, and the tokens that all its forms carry. */
export interface Building {
  readonly context: RequestContext
  readonly site: Site
  /** `_csrf` and `_once`: made once per page. */
  readonly tokens: readonly Hidden[]
}

export function building(context: RequestContext): Building {
  const { site } = context
  // A page that nobody can send anything from needs no tokens.
  const mayAct = isSignedIn(context) || context.request.actor.link !== undefined
  const tokens = mayAct ? [csrfInput(context), onceInput(context)] : [csrfInput(context)]
  return { context, site, tokens }
}

/** Ties what is sent to this page: sent twice, it happens once. */
export const onceInput = ({ web }: RequestContext): Hidden => ({
  name: '_once',
  value: web.options.random(16).toString('base64url'),
})

/** The parameter, in addresses and forms, that says where a step leads back to. */
export const nextName = '_next'

/** Where a step leads back to: where its address says, else the page that it was taken on, filters and all. */
const nextInput = ({ path, query, method }: RequestContext): Hidden => {
  const own = path.replace(/\/do\/[^/]*$/, '')
  const here = own + (query.size === 0 || method !== 'GET' ? '' : `?${query}`)
  return { name: nextName, value: safeNext(query.get(nextName), here) }
}

export const versionInput = (version: number): Hidden => ({ name: '_version', value: String(version) })

/** What a record is called: its number, or name, or both. `LN-2026-00007`, `CA-0001 Sony A7`. */
export const titleOf = (site: Site, entity: string, row: Named): string =>
  ownTitle(site, entity, row) ?? untitled(site, entity, row.id)

/** Where a sentence names a record: "Ada · LN-2026-00007", "Room 12", "Reading 4f12c9". What tells it from others is enough where its reference follows. */
export function thingOf(site: Site, entity: string, row: Named): string {
  const of = site.app.entities.get(entity)
  const title = ownTitle(site, entity, row)
  if (of === undefined || title === null) return untitled(site, entity, row.id)
  const { called, reference } = titleParts(of, namingTexts(site, of, row))
  return called !== '' && reference !== '' ? title : `${of.name} ${title}`
}

/** Somebody who may not see what names a record still has to tell it from others. */
export const untitled = ({ app }: Site, entity: string, id: string): string =>
  `${app.entities.get(entity)?.name ?? entity} ${id.slice(-6)}`

type Named = Pick<ReadRow, 'id' | 'values' | 'labels'>

/** Among others of its kind. `reference`: what follows the title; empty: nothing. */
export function calledOf(
  site: Site,
  entity: string,
  row: Named,
): { readonly title: string; readonly reference: string } {
  const of = site.app.entities.get(entity)!
  const { called, reference } = titleParts(of, namingTexts(site, of, row))
  if (called !== '') return { title: called, reference }
  return { title: reference === '' ? untitled(site, entity, row.id) : reference, reference: '' }
}

/** The heading of its page. `reference`: what follows the title; empty: nothing. */
export function headOf(site: Site, entity: Entity, row: Named): { readonly title: string; readonly reference: string } {
  const { called, reference } = titleParts(entity, namingTexts(site, entity, row))
  return called === '' || reference === ''
    ? { title: thingOf(site, entity.key, row), reference: '' }
    : { title: called, reference }
}

/** By these of the fields that name it; null where it has none of them. */
export function calledBy(site: Site, of: Entity, row: Named, fields: readonly string[]): string | null {
  const texts = namingTexts(site, of, row).filter(([key]) => fields.includes(key))
  const { called } = titleParts({ ...of, reference: null }, texts)
  return called === '' ? null : called
}

function ownTitle(site: Site, entity: string, row: Named): string | null {
  const of = site.app.entities.get(entity)
  const title = of === undefined ? '' : joinedTitle(of, namingTexts(site, of, row))
  return title === '' ? null : title
}

const namingTexts = (site: Site, of: Entity, row: Named) =>
  titleFields(of).flatMap(key => {
    const info = fieldInfo(site.app, of.key, key)
    const wire = row.values[key]
    if (info?.type.kind === 'list' && row.labels[key] !== undefined) return [[key, row.labels[key]] as const]
    if (info === null || Array.isArray(wire)) return []
    return [[key, textOf(site, of.key, info, wire as string | boolean | null | undefined, row.labels[key])] as const]
  })

/** Fields that a row needs so that it can be named and linked to, whatever else is shown of it. */
export function namingFields(site: Site, entity: string): readonly string[] {
  const place = site.routes.places.get(entity)
  const by = place === undefined || place.by === 'id' ? [] : [place.by]
  const of = site.app.entities.get(entity)
  return [...new Set([...(of === undefined ? [] : titleFields(of)), ...by])]
}

/** What names the record in addresses; null where this person may not see it. Before a step gives it its number, that is its id. */
export function addressValue(place: EntityRoutes, row: Pick<ReadRow, 'id' | 'values'>): string | null {
  const own = place.by === 'id' ? row.id : row.values[place.by]
  const value = own === null && isGivenLater(place) ? row.id : own
  return typeof value === 'string' ? value : null
}

const isGivenLater = ({ entity, by }: EntityRoutes) => entity.fields.find(({ key }) => key === by)?.givenOn != null

/** Address of the record's own page, for those who may open it. */
export function openHref(build: Building, entity: string, row: Pick<ReadRow, 'id' | 'values'>): string | null {
  const place = build.site.routes.places.get(entity)
  const address = place === undefined ? null : addressValue(place, row)
  return address === null ? null : openHrefAt(build, entity, address)
}

export function openHrefAt({ site, context }: Building, entity: string, address: string): string | null {
  const place = site.routes.places.get(entity)
  return place?.one == null || !mayOpen(place.one, context.request.actor) ? null : recordHref(place, address)
}

/** The words that the document gives this record while something holds of it. */
export const marksOf = ({ app }: Site, entity: string, { marks = [] }: Pick<ReadRow, 'marks'>): readonly MarkOf[] =>
  marks.map(place => {
    const { name, tone } = app.entities.get(entity)!.marks[place]!
    return { label: name.text, tone }
  })

/** What a reference names; of an archived record it is said that it is. */
function labelAt(
  site: Site,
  { labels, toArchived }: Pick<ReadRow, 'labels' | 'toArchived'>,
  key: string,
): string | undefined {
  const label = labels[key]
  const archived = toArchived?.get(key)
  if (label === undefined || archived === undefined) return label
  const marked = (title: string) => say(site, 'archivedMark', { title })
  return archived === 'whole'
    ? marked(label)
    : archived.map(([title, isArchived]) => (isArchived ? marked(title) : title)).join(', ')
}

/** The value of a field of a row; null where it is not there for this person. */
export function valueAt(
  site: Site,
  entity: string,
  row: Pick<ReadRow, 'id' | 'values' | 'labels' | 'toArchived'>,
  key: string,
): ValueView {
  const info = fieldInfo(site.app, entity, key)
  const wire = row.values[key]
  if (info === null || Array.isArray(wire)) return { text: '', look: 'text', href: null, datetime: null, state: null }
  return valueView(site, entity, info, wire as string | boolean | null | undefined, {
    label: labelAt(site, row, key),
    href: info.type.kind === 'file' ? fileAddress(entity, row.id, key) : null,
  })
}

/** Letters of a text in a cell among many: more than one looks at there. */
const cellLetters = 1000

/** As {@link valueAt}, of a long text its beginning: a page of a hundred long ones would be megabytes, and a second of work. */
export function cellAt(site: Site, entity: string, row: Parameters<typeof valueAt>[2], key: string): ValueView {
  const wire = row.values[key]
  const isLong =
    typeof wire === 'string' && wire.length > cellLetters && fieldInfo(site.app, entity, key)?.type.kind === 'text'
  if (!isLong) return valueAt(site, entity, row, key)
  const beginning = `${wire.slice(0, cellLetters).toWellFormed()} …`
  return valueAt(site, entity, { ...row, values: { ...row.values, [key]: beginning } }, key)
}

/** The steps of a row as this screen offers them, in the document's order; closed ones, where they are wanted, with the reason. */
export function actionsOf(
  build: Building,
  offered: Buttons | null,
  entity: string,
  row: ReadRow,
  { onlyOpen = false } = {},
): readonly ActionView[] {
  const { site, tokens } = build
  const place = site.routes.places.get(entity)
  const value = place === undefined ? null : addressValue(place, row)
  if (place === undefined || value === null) return []
  // What cannot be taken back does not stand first.
  const shown = row.may.steps
    .filter(
      ({ step, open, ...verdict }) =>
        verdict.offered && (open || !onlyOpen) && (offered?.some(button => button.step === step) ?? true),
    )
    .toSorted((a, b) => Number(isDangerous(site, entity, a)) - Number(isDangerous(site, entity, b)))
  if (shown.length === 0) return []
  const hidden = [...tokens, versionInput(row.version), nextInput(build.context)]
  const state = row.values.state
  const asks = ({ step, ...verdict }: StepVerdict) =>
    askedBy(site.app, entity, step, state, verdict).length > 0 || approvalsOf(site.app, entity, step).length > 0
  const ringOf = (name: unknown) => (typeof name === 'string' ? stateView(site, entity, name).ring : unknownRing)
  const firstOpen = shown.find(
    verdict =>
      verdict.open &&
      !isDangerous(site, entity, verdict) &&
      (verdict.to === null || !leadsBack(ringOf(state), ringOf(verdict.to))),
  )
  return shown.map((verdict): ActionView => {
    const action = recordHref(place, value, `/do/${verdict.step}`)
    const leavesForGood = verdict.to !== null && isEnd(site, entity, verdict.to)
    return {
      key: verdict.step,
      label: capital(verdict.name),
      letter: lettersOf(site.app, entity).get(verdict.step) ?? null,
      open: verdict.open,
      elsewhere: !verdict.open && verdict.reason === 'state',
      why: verdict.open
        ? whatFollows(site, entity, verdict)
        : whyClosed(site, entity, verdict, typeof state === 'string' ? state : null),
      danger: isDangerous(site, entity, verdict),
      primary: verdict === firstOpen,
      action,
      hidden,
      confirm: leavesForGood || asks(verdict) ? action : null,
      asks: asks(verdict),
      to: verdict.to === null ? null : stateView(site, entity, verdict.to),
      mark: site.mark(verdict.because),
    }
  })
}

export function removeAction(build: Building, entity: string, row: ReadRow): ActionView | null {
  const { site, tokens } = build
  const place = site.routes.places.get(entity)
  const value = place === undefined ? null : addressValue(place, row)
  const verdict = row.may.delete
  if (place === undefined || value === null || !verdict.open) return null
  const action = recordHref(place, value, '/delete')
  const isKept = site.app.entities.get(entity)!.archives !== null
  return {
    key: 'delete',
    label: say(site, isKept ? 'archive' : 'delete'),
    open: true,
    why: say(site, isKept ? 'archivedStays' : 'deleteIsFinal'),
    danger: !isKept,
    primary: false,
    action,
    hidden: [...tokens, versionInput(row.version)],
    confirm: action,
    asks: false,
    to: null,
    mark: site.mark(verdict.because),
  }
}

/** To the page that ends what leads to the record without an account, for whoever may change it. */
export const endLinksHref = ({ site, context }: Building, entity: string, row: ReadRow): string | null =>
  linkRoles(site.app, entity).length === 0 || !isSignedIn(context) || !row.may.change.open
    ? null
    : `${casePath}/end?${new URLSearchParams({ entity, id: row.id })}`

/** Bringing an archived record back, for whoever may. */
export function restoreAction(build: Building, entity: string, row: ReadRow): ActionView | null {
  const { site, tokens } = build
  const place = site.routes.places.get(entity)
  const value = place === undefined ? null : addressValue(place, row)
  const verdict = row.may.restore
  if (place === undefined || value === null || !verdict.open) return null
  const action = recordHref(place, value, '/restore')
  return {
    key: 'restore',
    label: say(site, 'restore'),
    open: true,
    why: say(site, 'restoredIsThere'),
    danger: false,
    primary: true,
    action,
    hidden: [...tokens, versionInput(row.version)],
    confirm: null,
    asks: false,
    to: null,
    mark: site.mark(verdict.because),
  }
}

/** To the page that says what one may do with a record, and why not the rest. `at`: the part of it, `step-approve`. */
export const whyLink = (
  { site, context }: Pick<Building, 'site' | 'context'>,
  entity: string,
  id: string,
  at = '',
): LinkView | null => (isSignedIn(context) ? { label: say(site, 'whyLink'), href: whyHref(entity, id, at) } : null)

export function createLink({ site, context }: Building, entity: string, verdict: Verdict): LinkView | null {
  const place = site.routes.places.get(entity)
  if (place === undefined || !verdict.open || place.entity.partOf !== null || !isSignedIn(context)) return null
  return { label: say(site, 'newRecord', { thing: inSentence(site, place.entity.name) }), href: newHref(place) }
}

/** What stands in the record at an address as a form for a new one. Null: this person may create none. */
export function duplicateLinks(
  { site, context }: Building,
  place: EntityRoutes,
): ((address: string) => LinkView) | null {
  const { entity } = place
  const verdict = createVerdict(policyFor(site.app, context.request.actor), entity.key)
  if (!verdict.open || entity.partOf !== null || !isSignedIn(context)) return null
  const label = say(site, 'duplicate')
  const form = newHref(place)
  return address => ({ label, href: `${form}?${copyName}=${encodeURIComponent(address)}` })
}

/** In the address of a form for a new record: the one that it begins with. */
export const copyName = '_copy'

/** Why something is closed, in a sentence that names what would open it. `other`: the name of whom it is closed to, where that is not the one who reads. */
export function whyClosed(
  site: Site,
  entity: string,
  verdict: Verdict & Partial<StepVerdict>,
  state: string | null,
  other: string | null = null,
): string {
  const branches = verdict.step === undefined ? [] : branchesOf(site.app, entity, verdict.step)
  const { step, reason, because } = verdict
  // The words with which the document refuses it; those of the built-in reasons where they say something of the record.
  const error =
    step === undefined || other !== null ? null : errorOf(site.app, entity, { step, reason, because }, state)
  const own = error === null ? null : plainMessage(site.app, error, entity)
  if (own !== null) return own
  switch (verdict.reason) {
    case 'state': {
      const from = (verdict.starts ?? []).filter(one => one !== state)
      return from.length === 0 ? say(site, 'noRule') : say(site, 'onlyFrom', { states: wordsOf(site, from) })
    }
    case 'who': {
      if (branches.length > 0 && branches.every(({ who }) => isNobody(specified(who)))) return say(site, 'nobodys')
      const roles = [...new Set(branches.flatMap(branch => namedIn(site, entity, specified(branch.who))))]
      const except = [...new Set(branches.flatMap(branch => exceptIn(site, entity, specified(branch.who))))]
      const who = roles.length === 0 ? say(site, 'forSignedIn') : say(site, 'forRoles', { roles: wordsOf(site, roles) })
      const people = site.reader.format.anyOf(except)
      const whole = except.length === 0 ? who : say(site, 'exceptPeople', { who, people })
      return other === null
        ? say(site, 'onlyWho', { who: whole })
        : say(site, 'onlyWhoOther', { who: whole, person: other })
    }
    case 'when': {
      if (verdict.missing === null)
        return say(site, 'onlyWhen', { condition: conditionText(site, entity, verdict.because, other) })
      return say(site, 'onlyWhenEmpty', { field: readAs(site, entity, verdict.missing) })
    }
    case 'row':
      return say(site, 'onlyRow', { condition: anyCondition(site, entity, verdict, other) })
    case 'never':
      return verdict.because.text === '' || /^(?:yes|all)$/i.test(verdict.because.text)
        ? say(site, 'neverAtAll')
        : say(site, 'neverWhen', { condition: conditionText(site, entity, verdict.because, other) })
    case 'decided':
      return say(site, 'youDecided')
    case 'locked':
      return say(site, 'onlyUnlocked', { state: wordFor(site.app, state ?? '') })
    case 'unspecified':
      return say(site, 'leftOpen')
    default:
      return say(site, 'noRule')
  }
}

/** The conditions of all roles that decide: one of them would have to hold. */
const anyCondition = (site: Site, entity: string, { because, also = [] }: Verdict, other: string | null): string =>
  site.reader.format.anyOf([...new Set([because, ...also].map(cell => conditionText(site, entity, cell, other)))])

const wordsOf = ({ app, reader }: Site, names: readonly string[]): string =>
  reader.format.anyOf(names.map(name => wordFor(app, name)))

/** Roles, and the fields that name people, as screens call them. */
const namedIn = (site: Site, entity: string, who: Who | null): readonly string[] =>
  who?.kind === 'roles' ? [...who.roles, ...who.people.map(person => personIn(site, entity, person))] : []

const isNobody = (who: Who | null): boolean =>
  who?.kind === 'roles' && who.roles.length === 0 && who.people.length === 0

const exceptIn = (site: Site, entity: string, who: Who | null): readonly string[] =>
  (who?.except ?? []).map(person => personIn(site, entity, person))

export const personIn = (site: Site, entity: string, { cell, root }: Expression): string =>
  say(site, 'namedIn', { field: namedAs(site, entity, root, null) ?? cell.text })

/** What the step is for, where its `Meaning` says so, and where it leads. */
export const whatFollows = (site: Site, entity: string, verdict: Pick<StepVerdict, 'step' | 'to'>): string =>
  [branchesOf(site.app, entity, verdict.step)[0]?.meaning?.text, whereTo(site, entity, verdict)]
    .filter(Boolean)
    .join(' ')

function whereTo(site: Site, entity: string, { step, to }: Pick<StepVerdict, 'step' | 'to'>): string {
  if (to === null) return say(site, 'staysSo')
  if (approvalsOf(site.app, entity, step).length > 0)
    return say(site, 'leadsToAgreed', { state: wordFor(site.app, to) })
  return isEnd(site, entity, to)
    ? say(site, 'leadsToEnd', { state: wordFor(site.app, to) })
    : say(site, 'leadsTo', { state: wordFor(site.app, to) })
}

const isEnd = (site: Site, entity: string, state: string): boolean =>
  site.app.workflows.get(entity)?.states.find(({ name }) => name === state)?.kind === 'end'

export const isDangerous = (site: Site, entity: string, { to }: Pick<StepVerdict, 'to'>): boolean =>
  to !== null && stateView(site, entity, to).ring.family === 'bad'

/** Nothing is there: of the whole, or of the part that a screen or a card shows. */
export const noneOf = (site: Site, entity: string, isPart: boolean): string =>
  say(site, isPart ? 'emptyPart' : 'emptyList', { things: thingsOf(site, entity) })

/** What the document leaves open about an entity and is served all the same. */
export function assumedOf(site: Site, entity: string | null): ScreenView['assumed'] {
  const access = entity === null ? undefined : site.app.access.get(entity)
  if (entity === null || access === undefined) return []
  const screens = assumptionOf(entity)
  return site.app.assumptions
    .filter(({ accepted }) => accepted === null)
    .filter(({ name, cell }) => name === screens || (access.basis === 'assumed' && cell === access.cell))
    .map(one => ({ name: one.name, text: assumptionText(site, one), mark: site.mark(one.cell) }))
}

export function markOf(site: Site, cell: Cell | null | undefined): Mark | null {
  return cell === null || cell === undefined ? null : site.mark(cell)
}

/** The line that decides a screen: its Shows cell, or its name. */
export const screenMark = (site: Site, screen: Screen): Mark =>
  site.mark(isUnspecified(screen.shows) ? screen.name : screen.shows.cell)

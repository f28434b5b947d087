/** Answers what pages of screen kinds ask: `kinds/screens/presenter.ts`. */
import { specified } from '../headings/specified.ts'
import type { Presenter } from '../kinds/screens/presenter.ts'
import type { Address, InboxNeed } from '../kinds/screens/screen-kind.ts'
import type { StepLinkView } from '../kinds/screens/view-model.ts'
import { readInbox } from '../run/read/inbox.ts'
import { read } from '../run/read/read.ts'
import { hereHref } from './pages.tsx'
import type { RequestContext } from './request-context.ts'
import { recordHref } from './routes.ts'
import {
  assumedOf,
  building,
  createLink,
  isDangerous,
  marksOf,
  namingFields,
  nextName,
  openHref,
  openHrefAt,
  screenMark,
  titleOf,
  valueAt,
} from './screens/common.ts'
import { factsOf, toldBy } from './screens/facts.ts'
import { thingsOf } from './screens/things.ts'
import { addressOf } from './seen.ts'
import { say } from './sentences.ts'
import { branchesOf, capital, type Site, stateView } from './site.ts'
import { withPlace } from './waiting.ts'

export function presenterOf(context: RequestContext, segments: Address['segments']): Presenter {
  const build = building(context)
  const { site, runtime, request, path, query } = context
  return {
    app: site.app,
    reader: site.reader,
    path,
    address: addressOf(context, { segments, query }),
    read: need => read(runtime, request, need),
    waiting: (steps, limit) => readInbox(runtime, request, inboxNeed(site, steps, limit)),
    title: (entity, row) => titleOf(site, entity, row),
    namingFields: entity => namingFields(site, entity),
    href: (entity, row) => openHref(build, entity, row),
    hrefAt: (entity, address) => openHrefAt(build, entity, address),
    stepAt: (entity, address, step) => stepLink(context, entity, address, step),
    marks: (entity, row) => marksOf(site, entity, row),
    state: (entity, state) => stateView(site, entity, state),
    value: (entity, row, field) => valueAt(site, entity, row, field),
    facts: (entity, row) => toldBy(site, entity, row),
    things: entity => thingsOf(site, entity),
    create: (entity, verdict) => createLink(build, entity, verdict),
    frame: (screen, entity) => ({
      title: screen.name.text,
      pageTitle: screen.name.text,
      crumbs: [],
      mark: screenMark(site, screen),
      assumed: assumedOf(site, entity),
    }),
    notUnderstood: parts => (parts.length === 0 ? [] : [say(site, 'notUnderstood', { parts: parts.join(', ') })]),
    firstShown: count => say(site, 'firstShown', { count }),
  }
}

/** Records are linked to by what names them in addresses. */
function inboxNeed(site: Site, awaited: InboxNeed['steps'], limit: number): InboxNeed {
  const steps = withPlace(site, awaited)
  const entities = [...new Set(steps.map(({ entity }) => entity))]
  return {
    kind: 'inbox',
    steps,
    by: Object.fromEntries([...site.routes.places].map(([entity, { by }]) => [entity, by])),
    facts: Object.fromEntries(entities.map(entity => [entity, factsOf(site, entity)])),
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

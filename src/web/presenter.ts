/** Answers what pages of screen kinds ask: `kinds/screens/presenter.ts`. */
import type { Presenter } from '../kinds/screens/presenter.ts'
import type { Address } from '../kinds/screens/screen-kind.ts'
import { read } from '../run/read/read.ts'
import type { RequestContext } from './request-context.ts'
import {
  assumedOf,
  building,
  createLink,
  marksOf,
  namingFields,
  openHref,
  screenMark,
  titleOf,
  valueAt,
} from './screens/common.ts'
import { addressOf } from './seen.ts'
import { say } from './sentences.ts'
import { stateView } from './site.ts'

export function presenterOf(context: RequestContext, segments: Address['segments']): Presenter {
  const build = building(context)
  const { site, runtime, request, path, query } = context
  return {
    app: site.app,
    reader: site.reader,
    path,
    address: addressOf(context, { segments, query }),
    read: need => read(runtime, request, need),
    title: (entity, row) => titleOf(site, entity, row),
    namingFields: entity => namingFields(site, entity),
    href: (entity, row) => openHref(build, entity, row),
    marks: (entity, row) => marksOf(site, entity, row),
    state: (entity, state) => stateView(site, entity, state),
    value: (entity, row, field) => valueAt(site, entity, row, field),
    create: (entity, verdict) => createLink(build, entity, verdict),
    mark: screen => screenMark(site, screen),
    assumed: entity => assumedOf(site, entity),
    notUnderstood: parts => (parts.length === 0 ? [] : [say(site, 'notUnderstood', { parts: parts.join(', ') })]),
  }
}

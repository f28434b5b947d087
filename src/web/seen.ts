/** The application as somebody knows it: a field that they see on no record is not there to be asked for, read or written. */

import { memoize } from '../expression/memoize.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import type { ReadApp, ReadEntity } from '../kinds/fields/input.ts'
import type { Address } from '../kinds/screens/screen-kind.ts'
import { type Policy, policyFor } from '../run/access/policy.ts'
import { opensIn } from '../run/access/read-log.ts'
import { openGroups } from '../run/read/figures.ts'
import type { Request } from '../run/request.ts'
import type { RequestContext } from './request-context.ts'

/** Whether this person sees the field on any record at all. */
export function seesOf({ site, request }: RequestContext): (entity: string, field: string) => boolean {
  const policy = policyFor(site.app, request.actor)
  return (entity, field) => policy.field(entity, field, 't') !== false
}

/** Whether this person may bring back archived records of an entity at all. */
export function restoresOf({ site, request }: RequestContext): (entity: string) => boolean {
  const policy = policyFor(site.app, request.actor)
  return entity => policy.rows(entity, 'restore', 't') !== false
}

/** An address as this person asks for it, now. */
export const addressOf = (context: RequestContext, { segments = {}, query }: Asked): Address => ({
  segments,
  query,
  locale: context.site.reader.locale,
  zone: context.site.reader.format.zone,
  today: context.request.today,
  closed: context.request.closed,
  limits: context.request.limits,
  sees: seesOf(context),
  restores: restoresOf(context),
  open: groups => openGroups(context.site.app, context.request.actor, groups),
})

type Asked = Pick<Address, 'query'> & Partial<Pick<Address, 'segments'>>

/** Whether there is anything of an entity for this person: to see, to make, or to open in an emergency. Otherwise it is absent. */
export function hasAnything({ site: { app }, request: { actor } }: RequestContext, entity: string): boolean {
  const policy = policyFor(app, actor)
  return (
    policy.rows(entity, 'see', 't') !== false ||
    policy.rows(entity, 'create', 't') !== false ||
    opensIn(app, actor, entity)
  )
}

/** What forms and bodies of this person are read with. */
export interface Known extends ReadApp {
  readonly entity: (entity: Entity) => ReadEntity
}

/** As those who may the same know them. */
const entities = new WeakMap<Policy, WeakMap<Entity, ReadEntity>>()

/** Who reads what. */
interface Reader {
  readonly site: { readonly app: App }
  readonly request: Request
}

/** A body may give a new record what its sender never sees on one. `also` are fields of one entity that are read whoever sees them: what a step asks for. */
export function knownTo(context: Reader, also: { of: string; fields: readonly string[] } | null = null): Known {
  const { app } = context.site
  const policy = policyFor(app, context.request.actor)
  const sees = (entity: string, field: string) =>
    policy.knows(entity, field) || (also?.of === entity && also.fields.includes(field))
  const made = ({ key, fields, shape }: Entity): ReadEntity => ({
    fields: fields.filter(field => sees(key, field.key)),
    shape: { fields: { has: field => shape.fields.has(field) && sees(key, field) } },
  })
  const before = memoize(entities, policy, () => new WeakMap<Entity, ReadEntity>())
  const known = (entity: Entity): ReadEntity =>
    also?.of === entity.key ? made(entity) : memoize(before, entity, () => made(entity))
  return {
    entity: known,
    entities: {
      get(key) {
        const entity = app.entities.get(key)
        return entity === undefined ? undefined : known(entity)
      },
    },
  }
}

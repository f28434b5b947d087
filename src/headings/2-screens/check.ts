/** Checks of heading 2 on the finished model. */
import { reporter } from '../../document/diagnostic.ts'
import { mustFail } from '../../expression/outcomes.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { Entity, Field } from '../3-entities/model.ts'
import { mayEver } from '../6-permissions/held.ts'
import { linkedBy } from '../6-permissions/links.ts'
import type { Role } from '../6-permissions/model.ts'
import type { App } from '../app.ts'
import { facts } from '../cascades/facts.ts'
import type { Context } from '../context.ts'
import { isUnspecified } from '../specified.ts'
import { screenCodes } from './codes.ts'
import type { Column, Route, Screen } from './model.ts'
import { isPublicForm } from './public-forms.ts'
import { lintUnseen } from './unseen.ts'

const section = 2

/** Addresses that two screens have: what stands in braces matches anything, so it does not tell them apart. */
export function checkRoutes(context: Context, { screens }: App): void {
  const { report } = reporter(screenCodes, section, context.found)
  const first = new Map<string, Screen>()
  for (const screen of screens) {
    if (isUnspecified(screen.route)) continue
    const pattern = screen.route.segments.map(segment => ('text' in segment ? segment.text : '{}')).join('/')
    const before = first.get(pattern)
    if (before === undefined) first.set(pattern, screen)
    else {
      const related = isUnspecified(before.route) ? [] : [{ span: before.route.cell, message: 'first here' }]
      report('N1202', screen.route.cell, { route: screen.route.pattern }, { related })
    }
  }
}

/** Homes: a screen that opens without a record, for roles that may open it, each of which has one home. */
export function checkHomes(context: Context, { screens }: App): void {
  const { report } = reporter(screenCodes, section, context.found)
  const first = new Map<string, Screen>()
  for (const screen of screens) {
    const { homeFor, route, for: audience } = screen
    if (homeFor === null) continue
    const name = screen.name.text
    if (!isUnspecified(route) && hasRecord(route)) {
      report('N1247', homeFor.cell, { name }, { related: [{ span: route.cell, message: 'its address' }] })
      continue
    }
    for (const role of homeFor.roles) {
      if (!isUnspecified(audience) && audience.kind === 'roles' && !audience.roles.includes(role))
        report('N1246', homeFor.cell, { name, role }, { related: [{ span: audience.cell, message: 'who may' }] })
      const before = first.get(role)
      if (before === undefined) first.set(role, screen)
      else {
        const related = [{ span: before.homeFor!.cell, message: 'first here' }]
        report('N1248', homeFor.cell, { role, first: before.name.text }, { related })
      }
    }
  }
}

/** Forms that people fill in without signing in: only what they list is asked, and only new records are made. */
export function checkPublicForms(context: Context, app: App): void {
  const { report } = reporter(screenCodes, section, context.found)
  for (const screen of app.screens) {
    const { shows, route } = screen
    if (!isPublicForm(screen) || isUnspecified(shows)) continue
    const entity = app.entities.get(shows.entity ?? '')
    if (entity === undefined) continue
    const name = screen.name.text
    if (!isUnspecified(route) && hasRecord(route)) {
      report('N1230', route.cell, { name })
      continue
    }
    const { tenant } = entity.shape
    if (tenant !== undefined) {
      const of = app.entities.get(tenant.entity)!.name
      report('N1257', screen.name, { name, entity: entity.name, tenant: of })
      continue
    }
    if (![...app.roles.values()].some(role => mayVisitorsCreate(app, entity.key, role)))
      report('N1231', isUnspecified(screen.for) ? screen.name : screen.for.cell, { name, entity: entity.name })
    const { asked } = usesOf(screen)
    if (asked.length === 0) {
      const example = entity.fields.slice(0, 3).map(({ key }) => key)
      report('N1228', screen.name, { name, example: example.join(', ') })
      continue
    }
    for (const field of missing(entity, asked))
      report('N1229', screen.name, { field: field.key, name }, { related: standsHere(field) })
    for (const { path, cell, field } of missingInRows(app, entity, asked))
      report('N1229', cell, { field: path, name }, { related: standsHere(field) })
  }
}

/** What everyone may open and shows no visitor anything: records of tenants, of whom a visitor belongs to none. */
function lintPublicTenants(context: Context, app: App): void {
  const { report } = reporter(screenCodes, section, context.found)
  for (const screen of app.screens) {
    const { name, shows, for: audience } = screen
    if (isUnspecified(shows) || isUnspecified(audience) || audience.kind !== 'everyone') continue
    if (kindOf(screen)?.entry === 'page') continue
    const entity = app.entities.get(shows.entity ?? '')
    if (entity?.shape.tenant === undefined) continue
    const tenant = app.entities.get(entity.shape.tenant.entity)!.name
    report('N1263', audience.cell, { name: name.text, entity: entity.name, tenant })
  }
}

/** A form for everyone that no visitor can ever send: a rule needs a field that it does not list. */
function lintUnlisted(context: Context, app: App): void {
  const { report } = reporter(screenCodes, section, context.found)
  for (const screen of app.screens.filter(isPublicForm)) {
    const entity = isUnspecified(screen.shows) ? undefined : app.entities.get(screen.shows.entity ?? '')
    if (entity === undefined) continue
    const listed = new Set(usesOf(screen).asked.map(({ field }) => field))
    const empty = new Map(
      entity.fields.flatMap(field => {
        const { default: given, copiedFrom, assignedFrom, computed, type, kind } = field
        const isGiven = given !== null || copiedFrom !== null || assignedFrom !== null || computed !== null
        const isFilled = isGiven || type.kind === 'list' || !fieldKind(kind).entered || listed.has(field.key)
        return isFilled ? [] : [[field.key, null] as const]
      }),
    )
    for (const rule of app.rules) {
      if (rule.entity !== entity.key || isUnspecified(rule.mustHold)) continue
      if (rule.on !== null && !rule.on.includes('create')) continue
      if (!mustFail(rule.mustHold.root, empty)) continue
      const field = rule.mustHold.reads.find(read => empty.has(read))
      if (field === undefined) continue
      const related = [{ span: rule.cell, message: 'this rule' }]
      report('N1235', screen.name, { name: screen.name.text, rule: rule.name, field }, { related })
    }
  }
}

/** Wizards: those that make records ask for everything that one needs; all of them ask people who can be told apart. */
export function checkWizards(context: Context, app: App): void {
  const { report } = reporter(screenCodes, section, context.found)
  for (const screen of app.screens) {
    const { shows, route } = screen
    if (isUnspecified(shows) || kindOf(screen)?.entry !== 'steps') continue
    const name = screen.name.text
    const { for: audience } = screen
    const isLinks =
      !isUnspecified(audience) && audience.kind === 'roles' && audience.roles.some(role => linkedBy(app, role) !== null)
    if (isLinks || (!isUnspecified(audience) && audience.kind === 'everyone')) report('N1239', audience.cell, { name })
    const entity = app.entities.get(shows.entity ?? '')
    const { asked } = usesOf(screen)
    if (entity === undefined || asked.length === 0 || isUnspecified(route) || hasRecord(route)) continue
    for (const field of missing(entity, asked))
      report('N1238', screen.name, { field: field.key, name }, { related: standsHere(field) })
    for (const { path, cell, field } of missingInRows(app, entity, asked))
      report('N1238', cell, { field: path, name }, { related: standsHere(field) })
  }
}

/** Its address names a stored record. */
const hasRecord = ({ segments }: Route): boolean => segments.some(segment => 'field' in segment)

/** Fields that a new record must have, that nothing gives, and that are not listed. */
function missing(entity: Entity, listed: readonly Column[]): readonly Field[] {
  const keys = new Set(listed.map(({ field }) => field))
  return entity.fields.filter(field => {
    const isGiven =
      field.default !== null || field.setBy !== null || field.computed !== null || field.copiedFrom !== null
    const isAsked = field.required !== null && field.required.when === null && !isGiven && fieldKind(field.kind).entered
    return isAsked && !keys.has(field.key)
  })
}

/** The same of rows of which some fields are listed; `cell` lists them. */
const missingInRows = (app: App, entity: Entity, listed: readonly Column[]) =>
  listed.flatMap(({ field: list, cell, rows }) => {
    const type = entity.fields.find(({ key }) => key === list)?.type
    const child = rows === undefined || type?.kind !== 'list' ? undefined : app.entities.get(type.entity)
    if (rows === undefined || child === undefined) return []
    const asked = rows.map(field => ({ field, cell }))
    return missing(child, asked).map(field => ({ path: `${list}.${field.key}`, cell, field }))
  })

const standsHere = ({ cell }: Field) => [{ span: cell, message: 'it stands here' }]

function mayVisitorsCreate(app: App, entity: string, { name, who }: Role): boolean {
  return !isUnspecified(who) && who.kind === 'everyone' && mayEver(app, entity, name, 'create')
}

/** Secrets stand in forms, and nowhere else: not in one that keeps what was typed from step to step. */
function lintSecrets(context: Context, screen: Screen, entity: Entity | undefined): void {
  const { report } = reporter(screenCodes, section, context.found)
  const { shown, asked, sections, views, sort } = usesOf(screen)
  if (entity === undefined) return
  const kind = kindOf(screen)
  const kept = kind?.keeps?.(screen) ?? null
  const inForm = [...asked, ...sections.flatMap(({ fields }) => fields)]
  const others = [shown, ...views.map(({ columns }) => columns), sort, ...views.map(one => one.sort)].flat()
  const isSecret = (field: string) => entity.fields.some(({ key, type }) => key === field && type.kind === 'secret')
  for (const { field, cell } of kind?.entry !== undefined && kept === null ? others : [...inForm, ...others]) {
    if (!isSecret(field)) continue
    const why = kept ?? 'nothing shows it, sorts by it or finds it'
    report('N1251', cell, { field, why })
  }
}

/** What can be served but hardly is what was meant. `held` are the roles that somebody can have. */
export function lintScreens(context: Context, app: App, held: ReadonlySet<string>): void {
  const { report } = reporter(screenCodes, section, context.found)
  for (const screen of app.screens) {
    const entity = isUnspecified(screen.shows) ? undefined : app.entities.get(screen.shows.entity ?? '')
    const { shown, asked, sections } = usesOf(screen)
    for (const { field, cell } of [...shown, ...asked, ...sections.flatMap(({ fields }) => fields)])
      if (entity?.fields.some(({ key, hidden }) => key === field && hidden !== null)) report('N1208', cell, { field })
    lintSecrets(context, screen, entity)
    const { for: audience } = screen
    if (isUnspecified(audience) || audience.kind !== 'roles') continue
    const able = audience.roles.filter(role => held.has(role))
    if (able.length === 0) {
      report(
        'N1211',
        audience.cell,
        { why: `nobody can have the role ${audience.roles.join(' or ')}` },
        { subject: facts.held(audience.roles) },
      )
      continue
    }
    const blind = entity === undefined ? undefined : able.find(role => !mayEver(app, entity.key, role, 'see'))
    if (blind !== undefined)
      report('N1212', audience.cell, { role: blind, entity: entity!.name }, { subject: facts.sees(blind, entity!.key) })
  }
  lintUnlisted(context, app)
  lintPublicTenants(context, app)
  lintUnseen(context, app, held)
}

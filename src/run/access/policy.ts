/**
 * Row-level permissions, and those of fields: heading 6 as SQL. Deny by default: what no cell allows is `false`, unknown denies (a `where` drops it), unspecified denies.
 * A person may do what at least one of their roles may, and a role speaks only on the rows that its own See names. What the rows `never`
 * close, no role opens.
 * The text depends on the set of roles alone: who asks, when, and under which constants goes in through slots.
 */
import type { Cell } from '../../document/source.ts'
import { memoize } from '../../expression/memoize.ts'
import { type Sql, slot, sql } from '../../expression/sql.ts'
import type { Transition } from '../../headings/4-states/model.ts'
import { linesOf } from '../../headings/6-permissions/lines.ts'
import { boundTo, isPartOf, tiesOf } from '../../headings/6-permissions/links.ts'
import type { FieldPermission, Grant, Permission } from '../../headings/6-permissions/model.ts'
import {
  bansOf,
  closedAfter,
  closes,
  exceptionsOf,
  type NeverVerb,
  neversOf,
} from '../../headings/6-permissions/never.ts'
import { sharedBy } from '../../headings/6-permissions/shares.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified, type Specified } from '../../headings/specified.ts'
import type { AskedApproval } from '../approvals/approvals.ts'
import { columnSql, fromSql, isLinks, isSealed, whereSql } from '../names.ts'
import type { Actor } from '../request.ts'
import { archivedSql, archivedWith, archives, live } from './archived.ts'
import { allOf, anyOf, type Condition } from './condition.ts'
import { type Deciding, decidedBy } from './deciding.ts'
import { sharedRecords } from './shared.ts'
import { stepPolicy } from './step-policy.ts'
import { isUnnamed } from './unnamed.ts'

/** `restore`: bringing back what was archived, for whoever may delete it. */
export type Verb = 'see' | 'create' | 'change' | 'delete' | 'export' | 'import' | 'emergency' | 'restore'

type Granted = 'see' | 'create' | 'change' | 'changeTo' | 'delete' | 'export' | 'import' | 'emergency'

/** A role that may lead a change beyond its Change (`Change to`), and the records on which it may. */
interface Leading {
  readonly role: string
  readonly from: Condition
}

/** What a row `never` says of a verb or a step: where it leaves it open, and its cell. */
export interface DenyRule {
  readonly exceptions: Condition
  readonly deciding: Deciding
}

/** What a set of roles may. Conditions are over the row that `alias` names. */
export interface Policy {
  /** Names of the roles, sorted; the key of everything that is cached. */
  readonly key: string
  readonly rows: (entity: string, verb: Verb, alias: string) => Condition
  /**
   * Rows that may be named: those that may be seen, archived ones too; of people, all, so that whoever sees that somebody borrowed,
   * sees who.
   */
  readonly names: (entity: string, alias: string) => Condition
  /** People of whom is told that they did something: those whom heading 6 shows, and all where it says nothing of people. */
  readonly tells: (alias: string) => Condition
  /** Every row there is for this person may be seen, or taken out: none is kept from them. */
  readonly all: (entity: string, verb: 'see' | 'export') => boolean
  /** On a row that may be seen: may this field be seen too? False: for these roles the field does not exist. */
  readonly field: (entity: string, field: string, alias: string) => Condition
  /**
   * All that is stored in a record and its rows may be seen on every record; what is `hidden` is nobody's. Where it may not, the version
   * of a record is the one that they see (`seen-version.ts`), and when and by whom it was changed last is not told.
   */
  readonly whole: (entity: string) => boolean
  /** The field is there for these roles: they see it on some record, or may give it to a new one without ever seeing what came of it. */
  readonly knows: (entity: string, field: string) => boolean
  /** The same of what is never read too: that it is there, and was changed. */
  readonly visible: (entity: string, field: string, alias: string) => Condition
  /** The same, with the conditions of the field's lines over the row `then`: the record as it was, or might be. */
  readonly openThen: (entity: string, field: string, alias: string, then: string) => Condition
  /** Roles of these that may lead a change beyond what they may change. */
  readonly leads: (entity: string, alias: string) => readonly Leading[]
  /** The row as a change leaves it is one that they may still change, or that a role of `leading` may lead to. */
  readonly mayBecome: (entity: string, alias: string, leading: readonly string[]) => Condition
  /** On such a row: may this field have been set? */
  readonly mayHaveSet: (entity: string, field: string, alias: string, leading: readonly string[]) => Condition
  /** On a row that may be created or changed: may this field be set? Says nothing of `set by steps only` and the like. */
  readonly sets: (entity: string, field: string, verb: 'create' | 'change', alias: string) => Condition
  /**
   * Who, and section 6's Do, for one branch of a step. Says nothing of its state and its When. Where the step waits for approvals, it
   * is whether a decision about it may be made.
   */
  readonly takes: (entity: string, transition: Transition, alias: string) => Condition
  /** The approvals of a branch: for each, whether these people may decide, themselves or for somebody. */
  readonly decides: (entity: string, transition: Transition, alias: string) => readonly AskedApproval[]
  /** Files of records are brought in with all their rows or not at all, because no role of theirs takes fewer. */
  readonly importsWhole: (entity: string) => boolean
  /** The role could ever do it: false hides the button altogether. */
  readonly offers: (entity: string, transition: Transition) => boolean
  /** The cell that allows (`open`) or refuses. */
  readonly because: (entity: string, verb: Verb, open: boolean) => Deciding
  readonly becauseStep: (entity: string, transition: Transition, open: boolean) => Deciding
  /** What keeps these people from it on some records, whatever else their roles open. */
  readonly denyRules: (entity: string, verb: NeverVerb | 'changeTo', alias: string) => readonly DenyRule[]
  /** The same of a step, by its key. */
  readonly stepDenyRules: (entity: string, step: string, alias: string) => readonly DenyRule[]
  /** Of one branch of a step, what is kept from these people whatever their roles open: by `except`, and by the rows `never`. */
  readonly stepExceptions: (entity: string, transition: Transition, alias: string) => Condition
}

const cache = new WeakMap<App, Map<string, Policy>>()

/** What this person may. Made once per application and set of roles. */
export function policyFor(
  app: App,
  actor: Pick<Actor, 'roles' | 'system' | 'id' | 'tenant' | 'emergency' | 'archived'>,
): Policy {
  const roles = [...new Set(actor.roles)].filter(role => app.roles.has(role)).sort()
  const key =
    actor.system === null
      ? `${actor.id === null ? '-' : '+'}${actor.tenant == null ? '' : '@'}${actor.emergency ?? ''}${actor.archived === undefined ? '' : `#${actor.archived}`} ${roles.join('|')}`
      : '*'
  return memoize(
    memoize(cache, app, () => new Map<string, Policy>()),
    key,
    () => (actor.system === null ? buildPolicy(app, roles, actor, key) : fullPolicy(app, key)),
  )
}

/** Timers and answers of calls act as the application itself: nobody is asked, and hidden fields may be set. */
function fullPolicy(app: App, key: string): Policy {
  const deciding = (cell: Cell): Deciding => ({ cell, reason: 'allowed' })
  return {
    key,
    rows: () => true,
    names: () => true,
    tells: () => true,
    all: () => true,
    field: (entity, name) => !isSealed(app, entity, name),
    visible: () => true,
    openThen: () => true,
    whole: () => true,
    knows: () => true,
    sets: () => true,
    leads: () => [],
    mayBecome: () => true,
    mayHaveSet: () => true,
    takes: () => true,
    stepExceptions: () => true,
    decides: () => [],
    offers: () => true,
    importsWhole: () => false,
    because: entity => deciding(app.access.get(entity)!.cell),
    becauseStep: (_, transition) => deciding(transition.cell),
    denyRules: () => [],
    stepDenyRules: () => [],
  }
}

function buildPolicy(
  app: App,
  roles: readonly string[],
  actor: Pick<Actor, 'id' | 'tenant' | 'emergency' | 'archived'>,
  key: string,
): Policy {
  const signedIn = actor.id !== null
  const { emergency } = actor
  const accessOf = (entity: string) => app.access.get(entity)!
  const rowsOf = (entity: string) => accessOf(entity).rows.filter(row => roles.includes(row.role))

  /** The rows of this person's tenant; all, where they are everybody's; none for whoever belongs to no tenant. */
  const own = (entity: string, alias: string): Condition => {
    const { tenant } = app.schema.get(entity)!
    if (tenant === undefined) return true
    return actor.tenant != null && sql`${columnSql(alias, tenant.field)} = ${slot('tenant')}::uuid`
  }
  const granted = (entity: string, row: Permission, verb: Granted, alias: string): Condition => {
    const grant = row[verb]
    if (isUnspecified(grant) || grant.kind === 'no') return false
    return allOf([
      own(entity, alias),
      ofBound(app, entity, row.role, alias),
      grant.kind === 'yes' || whereSql(grant.expression, alias),
    ])
  }
  const denyRules = (entity: string, verb: NeverVerb | 'changeTo', alias: string): readonly DenyRule[] =>
    deniedBy(
      neversOf(accessOf(entity), roles).map(never => (verb === 'changeTo' ? closedAfter(never) : never[verb])),
      alias,
    )
  const stepDenyRules = (entity: string, step: string, alias: string): readonly DenyRule[] =>
    deniedBy(
      neversOf(accessOf(entity), roles).flatMap(never => [never.do, ...bansOf(never, step).map(({ when }) => when)]),
      alias,
    )
  /** Where the rows `never` leave it open. */
  const exceptionsTo = (entity: string, verb: NeverVerb | 'changeTo', alias: string): Condition =>
    allOf(denyRules(entity, verb, alias).map(({ exceptions }) => exceptions))
  /** What its row sees, and in an emergency what it may open then: only reading, and only of whoever is known. */
  const seen = (entity: string, row: Permission, alias: string): Condition => {
    const every = granted(entity, row, 'see', alias)
    if (emergency === undefined || !signedIn) return every
    const beyond = allOf([granted(entity, row, 'emergency', alias), exceptionsTo(entity, 'emergency', alias)])
    return anyOf([every, emergency === 'asked' ? beyond : allOf([beyond, isOpened(entity, alias)])])
  }
  /** The rows that this role sees, whatever other roles see. */
  const seenBy = (entity: string, role: string, alias: string): Condition => {
    const parent = parentOf(app, entity)
    if (parent !== null && accessOf(entity).basis === 'parent')
      return throughParent(app, entity, alias, above => seenBy(parent, role, above))
    if (accessOf(entity).basis === 'assumed') return signedIn && own(entity, alias)
    const row = accessOf(entity).rows.find(permission => permission.role === role)
    return row === undefined ? false : seen(entity, row, alias)
  }
  const rows = (entity: string, verb: Verb, alias: string): Condition => {
    if (verb === 'restore') return archives(app, entity) && allOf([open(entity, 'delete', alias), archivedSql(alias)])
    return allOf([open(entity, verb, alias), verb === 'create' || verb === 'import' || there(entity, verb, alias)])
  }
  /** The one place that keeps archived records from everybody: they are read where they are asked for, and nothing is done with them. */
  const there = (entity: string, verb: Verb | 'do', alias: string): Condition =>
    (actor.archived === archivedWith(app, entity) && (verb === 'see' || verb === 'export')) || live(app, entity, alias)
  /** Archived or not. */
  const open = (entity: string, verb: NeverVerb & Verb, alias: string): Condition =>
    allOf([
      byRoles(entity, verb, alias),
      exceptionsTo(entity, verb, alias),
      verb !== 'emergency' || exceptionsTo(entity, 'see', alias),
    ])
  /** The rows that one role or another opens. */
  const byRoles = (entity: string, verb: NeverVerb & Verb, alias: string): Condition => {
    if (verb === 'emergency' && !signedIn) return false
    if (emergency !== undefined && verb !== 'see' && verb !== 'emergency') return false
    const parent = parentOf(app, entity)
    if (parent !== null && accessOf(entity).basis === 'parent')
      return throughParent(app, entity, alias, above =>
        verb === 'see' || verb === 'export' || verb === 'import' || verb === 'emergency'
          ? open(parent, verb, above)
          : anyOf([open(parent, 'change', above), open(parent, 'create', above)]),
      )
    // Assumed: everybody signed in sees what other records name; nobody writes it.
    if (accessOf(entity).basis === 'assumed') return verb === 'see' && signedIn && own(entity, alias)
    // Whether files are taken is no question about a row.
    if (verb === 'import')
      return (
        own(entity, alias) !== false &&
        rowsOf(entity).some(row => !isUnspecified(row.import) && row.import.kind === 'yes')
      )
    if (verb === 'see')
      return anyOf([...rowsOf(entity).map(row => seen(entity, row, alias)), steps.standsIn(entity, alias)])
    return anyOf(rowsOf(entity).map(row => granted(entity, row, verb, alias)))
  }
  const all = (entity: string, verb: 'see' | 'export'): boolean => {
    const parent = parentOf(app, entity)
    const { basis } = accessOf(entity)
    if (parent !== null && basis === 'parent') return denyRules(entity, verb, 't').length === 0 && all(parent, verb)
    if (own(entity, 't') === false || denyRules(entity, verb, 't').length > 0) return false
    if (basis === 'assumed') return verb === 'see' && signedIn
    return rowsOf(entity).some(
      row => boundTo(app, row.role) === null && !isUnspecified(row[verb]) && row[verb].kind === 'yes',
    )
  }
  const isHidden = (entity: string, field: string) =>
    app.entities.get(entity)!.fields.some(({ key, hidden }) => key === field && hidden !== null)

  const tells = (alias: string): Condition =>
    accessOf('person').basis === 'assumed' ? own('person', alias) : open('person', 'see', alias)
  const field = (entity: string, name: string, alias: string): Condition =>
    !isSealed(app, entity, name) && visible(entity, name, alias)
  /** Who created or changed a record may be somebody whom it names in a field that is closed. */
  const visible = (entity: string, name: string, alias: string): Condition => {
    if ((name === 'changed_at' || name === 'changed_by') && !whole(entity)) return false
    if (name !== 'created_by' && name !== 'changed_by') return opened(entity, name, alias)
    const unnamed = isUnnamed(app, { field, tells }, entity, alias, columnSql(alias, name))
    return allOf([opened(entity, name, alias), typeof unnamed === 'boolean' ? !unnamed : sql`(${unnamed}) is not true`])
  }
  /** By the lines of the field under heading 6. */
  const opened = (entity: string, name: string, alias: string, then = alias): Condition => {
    if (isHidden(entity, name)) return false
    // Of people, the document's silence opens no more than the name.
    if (app.entities.get(entity)!.builtIn && accessOf(entity).basis === 'assumed') return name === 'name'
    const lines = linesOf(accessOf(entity), name)
    return lines.length === 0 || anyOf(lines.map(line => openedBy(line, entity, alias, then)))
  }
  const names = (entity: string, alias: string): Condition =>
    entity === 'person' ? own(entity, alias) : open(entity, 'see', alias)
  const wholes = new Map<string, boolean>()
  const whole = (entity: string): boolean =>
    app.entities.get(entity)!.fields.every(({ key, computed, renewed, hidden, type }) => {
      if ((computed !== null && !renewed) || hidden !== null) return true
      if (opened(entity, key, 't') !== true) return false
      if (type.kind === 'reference' || (type.kind === 'list' && isLinks(app, entity, key)))
        return names(type.entity, 't') === true
      if (type.kind !== 'list' || parentOf(app, type.entity) !== entity) return true
      return (accessOf(type.entity).basis === 'parent' || rows(type.entity, 'see', 't') === true) && whole(type.entity)
    })
  const openedBy = (line: FieldPermission, entity: string, alias: string, then = alias): Condition => {
    if (isUnspecified(line.see)) return false
    const when = opens(line, then)
    const { roles: allowed } = line.see
    const seeing = roles.filter(role => allowed.includes(role)).map(role => seenBy(entity, role, alias))
    const blind = roles.filter(role => !allowed.includes(role) && seenBy(entity, role, alias) !== false)
    const condition = anyOf(seeing)
    // Who sees rows only through roles that see the field as well needs no condition.
    return allOf([blind.length === 0 ? condition !== false : condition, when])
  }

  /** Whether the line of a field speaks of this record. */
  const opens = ({ when }: FieldPermission, alias: string): Condition =>
    when === null || (!isUnspecified(when) && whereSql(when, alias))
  const sets = (entity: string, name: string, verb: 'create' | 'change', alias: string): Condition => {
    const lines = linesOf(accessOf(entity), name)
    if (lines.length === 0) return visible(entity, name, alias) !== false
    return anyOf(lines.map(line => setBy(line, entity, verb, alias)))
  }
  const setBy = (line: FieldPermission, entity: string, verb: 'create' | 'change', alias: string): Condition => {
    const { field: name, see, change } = line
    // A form may be sent by people who see no record: what is given to a new one goes by the roles that the line's See names.
    const isNamed =
      verb === 'create' &&
      !isHidden(entity, name) &&
      !isUnspecified(see) &&
      see.roles.some(role => roles.includes(role))
    if (!isNamed && (visible(entity, name, alias) === false || openedBy(line, entity, alias) === false)) return false
    // A new record is given what it begins with.
    const when = verb === 'create' || opens(line, alias)
    if (change === null) return when
    if (isUnspecified(change)) return false
    const parent = parentOf(app, entity)
    const some = anyOf(
      roles
        .filter(role => change.roles.includes(role))
        .map(role => {
          if (parent !== null && accessOf(entity).basis === 'parent') return true
          const row = accessOf(entity).rows.find(candidate => candidate.role === role)
          return row === undefined ? false : granted(entity, row, verb, alias)
        }),
    )
    return allOf([some, when])
  }

  const leadsTo = (entity: string, leading: readonly string[], alias: string): Condition =>
    anyOf(
      rowsOf(entity)
        .filter(({ role }) => leading.includes(role))
        .map(row => granted(entity, row, 'changeTo', alias)),
    )
  const mayBecome = (entity: string, alias: string, leading: readonly string[]): Condition =>
    allOf([
      anyOf([byRoles(entity, 'change', alias), leadsTo(entity, leading, alias)]),
      exceptionsTo(entity, 'changeTo', alias),
      there(entity, 'change', alias),
    ])
  const mayHaveSet = (entity: string, name: string, alias: string, leading: readonly string[]): Condition =>
    anyOf([
      sets(entity, name, 'change', alias),
      ...linesOf(accessOf(entity), name).map(({ change }) => {
        if (change !== null && isUnspecified(change)) return false
        return leadsTo(entity, change === null ? leading : leading.filter(role => change.roles.includes(role)), alias)
      }),
    ])

  const steps = stepPolicy({
    app,
    roles,
    signedIn,
    emergency,
    accessOf,
    rowsOf,
    granted,
    exceptionsTo,
    stepDenyRules,
    own,
    there,
  })

  return {
    key,
    rows: remembered(rows),
    names,
    tells,
    all,
    field: remembered(field),
    visible: remembered(visible),
    openThen: opened,
    whole: entity => memoize(wholes, entity, () => whole(entity)),
    knows: (entity, name) => visible(entity, name, 't') !== false || sets(entity, name, 'create', 't') !== false,
    sets: remembered(sets),
    leads: (entity, alias) =>
      rowsOf(entity)
        .filter(({ changeTo }) => !isUnspecified(changeTo) && changeTo.kind !== 'no')
        .map(row => ({ role: row.role, from: granted(entity, row, 'change', alias) })),
    mayBecome,
    mayHaveSet,
    ...steps.policy,
    denyRules,
    stepDenyRules,
    importsWhole: entity => {
      const all = rowsOf(entity).flatMap(row =>
        !isUnspecified(row.import) && row.import.kind === 'yes' ? [row.import] : [],
      )
      return all.length > 0 && all.every(({ whole }) => whole === true)
    },
    because(entity, asked, open) {
      const verb = asked === 'restore' ? 'delete' : asked
      if (emergency !== undefined && !open) return { cell: accessOf(entity).cell, reason: 'no rule' }
      const parent = parentOf(app, entity)
      if (parent !== null && accessOf(entity).basis === 'parent')
        return this.because(parent, verb === 'create' || verb === 'delete' ? 'change' : verb, open)
      if (accessOf(entity).basis === 'assumed')
        return { cell: accessOf(entity).cell, reason: open ? 'allowed' : 'no rule' }
      return decidedBy(
        rowsOf(entity).map(row => row[verb]),
        open,
        accessOf(entity).cell,
      )
    },
  }
}

/** Of these cells of rows `never`, those that close something. */
const deniedBy = (cells: readonly Specified<Grant>[], alias: string): readonly DenyRule[] =>
  cells.filter(closes).map(closed => {
    const spared = exceptionsOf(closed)
    const exceptions = !isUnspecified(spared) && spared.kind === 'when' && whereSql(spared.expression, alias)
    return { exceptions, deciding: { cell: closed.cell, reason: isUnspecified(closed) ? 'unspecified' : 'never' } }
  })

/** Of a role of one record, the row is such a record, is a part of it, names it, or is named by it. */
function ofBound(app: App, entity: string, role: string, alias: string): Condition {
  const bound = boundTo(app, role)
  if (bound === null) return true
  const shared = sharedBy(app, role)
  const open: IsOpen =
    shared === null
      ? id => sql`${id} = ${slot('link')}::uuid`
      : id => sql`${id} in (${sharedRecords(app, role, shared, sql`${slot('me')}::uuid`)})`
  return ofRecord(app, entity, bound.entity, alias, open)
}

/** Whether a record is one that the role speaks of, by its id. */
type IsOpen = (id: Sql) => Sql

function ofRecord(app: App, entity: string, bound: string, alias: string, isOpen: IsOpen): Condition {
  if (entity === bound) return isOpen(columnSql(alias, 'id'))
  if (isPartOf(app, entity, bound))
    return throughParent(app, entity, alias, above => ofRecord(app, parentOf(app, entity)!, bound, above, isOpen))
  const { to, from } = tiesOf(app, entity, bound)
  return anyOf([
    ...to.map(field => isOpen(columnSql(alias, field))),
    ...from.map(
      field =>
        sql`${columnSql(alias, 'id')} in (select ${columnSql('bound', field)} from ${fromSql(bound, 'bound')} where ${isOpen(columnSql('bound', 'id'))})`,
    ),
  ])
}

/** Whoever asks has opened the row, with a reason, and it is still open. */
const isOpened = (entity: string, alias: string): Sql => sql`exists (select from ninefold.read_log as o
  where o.way = 'emergency' and o.person = ${slot('me')}::uuid and o.entity = ${entity} and o.record = ${columnSql(alias, 'id')}
    and o.ends_at > ${slot('now')}::timestamptz)`

/** Conditions are asked for again and again with the same few names; their SQL is made once. */
function remembered<Names extends readonly string[]>(make: (...names: Names) => Condition) {
  const known = new Map<string, Condition>()
  return (...names: Names): Condition => memoize(known, names.join(' '), () => make(...names))
}

const parentOf = (app: App, entity: string): string | null => app.entities.get(entity)!.partOf

/** A condition over the parent of child rows, asked from the child row. */
function throughParent(app: App, entity: string, alias: string, condition: (above: string) => Condition): Condition {
  const parent = parentOf(app, entity)!
  const above = `${alias}_parent`
  const inner = condition(above)
  if (typeof inner === 'boolean') return inner
  const key = columnSql(alias, app.schema.get(entity)!.parent!)
  return sql`exists (select from ${fromSql(parent, above)} where ${allOf([
    sql`${columnSql(above, 'id')} = ${key}`,
    inner,
  ])})`
}

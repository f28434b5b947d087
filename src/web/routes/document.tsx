/** The document inside the application, for those who may read it: what it decides, drawn and counted, and the lines that say so. */
import { sql } from '../../expression/sql.ts'
import type { Entity } from '../../headings/3-entities/model.ts'
import { concerns } from '../../headings/6-permissions/held.ts'
import type { FieldPermission, Grant, Never, Permission, StepBan } from '../../headings/6-permissions/model.ts'
import { leftOf, type NeverVerb, neverFor } from '../../headings/6-permissions/never.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified, type Specified, specified } from '../../headings/specified.ts'
import { wordFor } from '../../headings/translate.ts'
import { opensEver } from '../../run/access/read-log.ts'
import { signUpOf } from '../../run/people/sign-up.ts'
import { readCensus } from '../../run/read/census.ts'
import { StateDiagram } from '../../ui/diagram.tsx'
import { EntityDiagram } from '../../ui/entities.tsx'
import { type DiagramLayout, layoutOf } from '../../ui/layout.ts'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { type GrantView, PermissionMatrix, VersionList } from '../../ui/permissions.tsx'
import { LineMark } from '../../ui/provenance.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { countText } from '../screens/things.ts'
import { say } from '../sentences.ts'
import { linesShown, type Site, stateView } from '../site.ts'

/** Records are counted up to this. */
export const countedTo = 10_000

const path = '/-/document'

/** Pages about the whole document, in the order in which they are offered. */
export const documentPages = (site: Site) =>
  [
    ['states', site.reader.words('diagramOf')],
    ['entities', say(site, 'entityDiagram')],
    ['permissions', say(site, 'permissionMatrix')],
    ['versions', say(site, 'versionsApplied')],
  ].map(([key, label]) => ({ label: label!, href: `${path}/${key}` }))

function page(shown: RequestContext, title: string, content: React.ReactNode): Promise<HttpResponse> {
  const { site } = shown
  return pageOf(shown, {
    title: [title],
    wide: true,
    crumbs: [
      { label: site.reader.words('document'), href: path },
      { label: title, href: null },
    ],
    content: (
      <>
        <PageHead title={title} />
        <div className="stack">{content}</div>
      </>
    ),
  })
}

/** Each workflow, with how many records are in each of its states. */
export async function statesPage(context: RequestContext): Promise<HttpResponse> {
  const shown = { ...context, site: linesShown(context.site) }
  const { site, runtime, request } = shown
  const census = new Map((await readCensus(runtime, request, countedTo)).map(one => [one.entity, one]))
  const graphs = [...site.graphs].map(async ([entity, graph]) => ({ ...graph, entity, layout: await graph.layout() }))
  const sheets = (await Promise.all(graphs)).map(({ entity, workflow, rings, layout }) => {
    const counted = census.get(entity)
    const called = new Map([...rings].map(([state, ring]) => [wordFor(site.app, state), ring]))
    return (
      <Sheet
        key={entity}
        title={site.app.entities.get(entity)?.name ?? entity}
        line={site.mark(workflow.cell)}
        aside={counted === undefined ? null : <span className="muted">{countText(site, entity, counted)}</span>}
      >
        <StateDiagram
          label={`${site.reader.words('diagramOf')}: ${site.app.entities.get(entity)?.name ?? entity}`}
          layout={layout}
          rings={called}
          current={null}
          possible={[]}
          passed={[]}
        />
        {counted !== undefined && counted.states.size > 0 && (
          <ul className="tally">
            {workflow.states
              .filter(({ name }) => counted.states.has(name))
              .map(({ name }) => {
                const { label, ring } = stateView(site, entity, name)
                return (
                  <li key={name}>
                    <StateLabel name={label} ring={ring} />{' '}
                    {site.reader.format.integer(String(counted.states.get(name)))}
                  </li>
                )
              })}
          </ul>
        )}
      </Sheet>
    )
  })
  return page(shown, site.reader.words('diagramOf'), sheets)
}

const layouts = new WeakMap<App, Promise<DiagramLayout>>()

/** Laid out when it is first asked for. Who refers to whom; child rows to their parent. */
function entityLayout(app: App): Promise<DiagramLayout> {
  let layout = layouts.get(app)
  if (layout === undefined) {
    const shown = [...app.entities.values()]
    const called = (key: string) => app.entities.get(key)?.name ?? key
    const moves = shown.flatMap(({ key, partOf, fields }) => [
      ...(partOf === null ? [] : [{ from: called(partOf), to: called(key), name: '' }]),
      ...fields.flatMap(({ type }) =>
        type.kind === 'reference' ? [{ from: called(key), to: called(type.entity), name: '' }] : [],
      ),
    ])
    layout = layoutOf(
      shown.map(({ name }) => ({ name, kind: null })),
      moves,
    )
    layouts.set(app, layout)
  }
  return layout
}

export async function entitiesPage(context: RequestContext): Promise<HttpResponse> {
  const shown = { ...context, site: linesShown(context.site) }
  const { site, runtime, request } = shown
  const title = say(site, 'entityDiagram')
  const census = await readCensus(runtime, request, countedTo)
  const counts = new Map(census.map(one => [one.entity, countText(site, one.entity, one)]))
  const entities = [...site.app.entities.values()].map(({ key, name, cell, fields }) => ({
    name,
    line: site.mark(cell),
    count: counts.get(key) ?? null,
    refers: [
      ...new Set(
        fields.flatMap(({ type }) =>
          type.kind === 'reference' || type.kind === 'list' ? (site.app.entities.get(type.entity)?.name ?? []) : [],
        ),
      ),
    ],
  }))
  return page(shown, title, <EntityDiagram layout={await entityLayout(site.app)} title={title} entities={entities} />)
}

/** Heading 6 as it is obeyed: what no cell allows is refused. */
export function permissionsPage(context: RequestContext): Promise<HttpResponse> {
  const shown = { ...context, site: linesShown(context.site) }
  const { site } = shown
  const { app } = site
  const isOpened = [...app.entities.keys()].some(entity => opensEver(app, entity))
  const verbs = [
    ...(['see', 'create', 'change', 'delete', 'export', 'import'] as const),
    ...(isOpened ? (['emergency'] as const) : []),
  ]
  const heads = [...verbs, 'do' as const].map(verb => say(site, `verb.${verb}`))
  const roles = [...app.roles.keys()]
  const no = say(site, 'grant.no')
  const matrices = [...app.access.values()].map(access => {
    const { entity, rows, nevers, fields, basis, cell } = access
    const of = app.entities.get(entity)!
    const view = (row: Permission, verb: (typeof verbs)[number] | 'do') =>
      verb === 'do' ? stepsView(site, entity, row) : leftView(site, row, neverFor(access, [row.role]), verb)
    const cells = (role: string): readonly (readonly GrantView[])[] => {
      const own = rows.find(one => one.role === role)
      const everybodys = rows.filter(one => one !== own && concerns(app, one.role, role))
      return [...verbs, 'do' as const].map(verb => {
        const first = own === undefined ? { text: no, code: false, line: null } : view(own, verb)
        const others = everybodys.map(row => ({ ...view(row, verb), by: wordFor(app, row.role) }))
        const open = [first, ...others].filter(({ text }) => text !== no)
        const all = open.find(({ text }) => text === say(site, 'grant.yes') || text === say(site, 'grant.all'))
        return all !== undefined ? [all] : open.length > 0 ? open : [first]
      })
    }
    // What is closed whatever roles open, before the roles, whose cells show what is left of them.
    const closing = nevers.map(never => ({
      name: [say(site, 'grant.never'), ...never.roles.map(role => wordFor(app, role))].join(' '),
      cells: [
        ...verbs.map(verb => [grantView(site, never[verb])]),
        never.steps.length === 0
          ? [grantView(site, never.do)]
          : never.steps.map(ban => ({ text: banText(site, entity, ban), code: false, line: site.mark(ban.cell) })),
      ],
    }))
    return (
      <PermissionMatrix
        key={entity}
        title={of.name}
        caption={`${say(site, 'permissionMatrix')}: ${of.name}`}
        line={site.mark(cell)}
        says={basis === 'written' ? null : say(site, basis === 'parent' ? 'accessParent' : 'accessAssumed')}
        heads={[say(site, 'role'), ...heads]}
        rows={[
          ...closing,
          ...(basis === 'written' ? roles.map(role => ({ name: wordFor(app, role), cells: cells(role) })) : []),
        ]}
        fields={[
          ...fields.map(field => ({
            name: of.fields.find(({ key }) => key === field.field)?.label ?? field.field,
            line: site.mark(field.cell),
            see: `${say(site, 'verb.see')}: ${namesOf(site, field.see)}`,
            change: field.change === null ? null : `${say(site, 'verb.change')}: ${namesOf(site, field.change)}`,
            when: field.when?.cell.text ?? null,
          })),
          ...(of.partOf === null ? [commentsOf(site, of)] : []),
        ]}
      />
    )
  })
  return page(
    shown,
    say(site, 'permissionMatrix'),
    <>
      <SignUpLine site={site} />
      {matrices}
    </>,
  )
}

/** Who talks about the records of an entity. */
const commentsOf = (site: Site, { cell, comments }: Entity) => ({
  name: say(site, 'activity.comments'),
  line: site.mark(comments?.cell ?? cell),
  see: comments === null ? say(site, 'commentsOfAll') : namesOf(site, comments),
  change: null,
  when: null,
})

/** Who comes in without being invited, and as what. */
function SignUpLine({ site }: { readonly site: Site }) {
  const { app } = site
  const open = signUpOf(app)
  if (open === null) return null
  const { format } = site.reader
  const roles = specified(app.signUpAs)!.roles.map(role => wordFor(app, role))
  return (
    <p>
      {open.domains === null
        ? say(site, 'signUpOpenAll')
        : say(site, 'signUpOpen', { domains: format.anyOf(open.domains) })}{' '}
      {roles.length > 0 && say(site, 'signUpRoles', { roles: format.allOf(roles) })}{' '}
      <LineMark line={site.mark(open.cell)} />
    </p>
  )
}

/** What a role may in the end. */
function leftView(site: Site, row: Permission, never: Never | null, verb: Exclude<NeverVerb, 'do'>): GrantView {
  const left = leftOf(row[verb], never, verb)
  if (left === null) return grantView(site, row[verb])
  const line = site.mark(row[verb].cell)
  return left === 'no' ? { text: say(site, 'grant.no'), code: false, line } : { text: left, code: true, line }
}

/** "Pay when `legal_hold`". */
function banText(site: Site, entity: string, { steps, when }: StepBan): string {
  const { app } = site
  const named = steps.map(key =>
    wordFor(app, app.workflows.get(entity)!.transitions.find(one => one.key === key)!.name),
  )
  const condition = isUnspecified(when) || when.kind !== 'when' ? '' : `: ${when.expression.cell.text}`
  return `${site.reader.format.allOf(named)}${condition}`
}

function grantView(site: Site, grant: Specified<Grant>): GrantView {
  const line = site.mark(grant.cell)
  if (isUnspecified(grant)) return { text: site.reader.words('unspecified'), code: false, line }
  if (grant.kind === 'when') return { text: grant.expression.cell.text, code: true, line }
  if (grant.kind === 'yes' && grant.whole) return { text: say(site, 'grant.whole'), code: false, line }
  return { text: say(site, `grant.${grant.kind}`), code: false, line }
}

function stepsView(site: Site, entity: string, row: Permission): GrantView {
  const line = site.mark(row.do.cell)
  if (isUnspecified(row.do)) return { text: site.reader.words('unspecified'), code: false, line }
  const { steps } = row.do
  if (steps === 'all') return { text: say(site, 'grant.all'), code: false, line }
  const names = steps.map(key => site.app.workflows.get(entity)?.transitions.find(one => one.key === key)?.name ?? key)
  return { text: names.length === 0 ? say(site, 'grant.no') : names.join(', '), code: false, line }
}

function namesOf(site: Site, named: NonNullable<FieldPermission['see' | 'change']>): string {
  if (isUnspecified(named)) return site.reader.words('unspecified')
  return named.roles.length === 0
    ? say(site, 'grant.nobody')
    : site.reader.format.allOf(named.roles.map(role => wordFor(site.app, role)))
}

/** So many versions are listed, newest first. */
const versionsShown = 100

/** Which documents were applied to this database, and when. */
export async function versionsPage(context: RequestContext): Promise<HttpResponse> {
  const shown = { ...context, site: linesShown(context.site) }
  const { site, runtime, request } = shown
  const rows = await runtime.store.query<{ number: string; version: string; applied_at: string; files: string }>(
    sql`select number, version, applied_at, jsonb_array_length(files)::text as files from ninefold.document
      order by number desc limit ${versionsShown}::bigint`,
  )
  const versions = rows.map(({ number, version, applied_at: at }) => ({
    number,
    version,
    current: version === site.app.version,
    applied: {
      iso: at,
      text: site.reader.format.relative(at, request.now),
      full: site.reader.format.fullMoment(at),
    },
  }))
  const title = say(site, 'versionsApplied')
  return page(
    shown,
    title,
    <VersionList
      caption={title}
      heads={[say(site, 'version'), say(site, 'applied')]}
      now={say(site, 'versionNow')}
      versions={versions}
    />,
  )
}

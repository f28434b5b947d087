/** What `ninefold explain` tells of heading 6: who may, and what nobody may. */
import { askedToSignUp, signsUpByForm } from '../headings/1-product/sign-up.ts'
import { grants } from '../headings/6-permissions/held.ts'
import type {
  Access,
  FieldPermission,
  Grant,
  NamedRoles,
  Never,
  Permission,
  Role,
} from '../headings/6-permissions/model.ts'
import { bansOf, closes, leftOf, type NeverVerb, neverFor } from '../headings/6-permissions/never.ts'
import type { App } from '../headings/app.ts'
import { isUnspecified, type Specified, specified } from '../headings/specified.ts'
import { place, saySignUp, type Thing } from './words.ts'

/** `where`: what limits them, where there is anybody. */
export function sayRoles(named: FieldPermission['see'], where?: string): string {
  if (isUnspecified(named)) return 'nobody: unspecified'
  if (named.roles.length === 0) return 'nobody'
  return [named.roles.join(', '), ...(where === undefined ? [] : [where])].join(', ')
}

function sayGrant(grant: Specified<Grant>): string {
  if (isUnspecified(grant)) return 'unspecified, so no'
  if (grant.kind === 'yes' && grant.whole) return 'whole'
  return grant.kind === 'when' ? `\`${grant.expression.cell.text}\`` : grant.kind
}

const inEmergency = 'read in an emergency'

/** What a role may in the end, verb by verb: its own cells, less what the row `never` closes. */
export function mayOf(
  row: Permission,
  access: Pick<Access, 'nevers'>,
): readonly (readonly [verb: string, may: string])[] {
  const never = neverFor(access, [row.role])
  const say = (verb: Exclude<NeverVerb, 'do'>) => {
    const left = leftOf(row[verb], never, verb)
    return left === null || left === 'no' ? (left ?? sayGrant(row[verb])) : `\`${left}\``
  }
  const verbs = ['see', 'create', 'change', 'delete', 'export', 'import'] as const
  const beyond = grants(row.changeTo) || isUnspecified(row.changeTo)
  const emergency = isUnspecified(row.emergency) || row.emergency.kind !== 'no'
  return [
    ...verbs.flatMap((verb): [string, string][] => [
      [verb, say(verb)],
      ...(verb === 'change' && beyond ? [['change to', sayGrant(row.changeTo)] as [string, string]] : []),
    ]),
    ...(emergency ? [[inEmergency, say('emergency')] as [string, string]] : []),
  ]
}

export const sayRow = (row: Permission, access: Pick<Access, 'nevers'>): string =>
  mayOf(row, access)
    .map(([verb, may]) => `${verb} ${may}`)
    .join(', ')

const whom = ({ roles }: Never): string =>
  roles.length === 0 ? 'Nobody, whatever the role,' : `Nobody who has the role ${roles.join(' or ')}, whatever others,`

/** What closes a step, in the rows `never`. */
export const sayNeverDo = (access: Access | undefined, step: string): string[] =>
  (access?.nevers ?? []).flatMap(never =>
    [never.do, ...bansOf(never, step).map(({ when }) => when)].filter(closes).map(closed => {
      const when = isUnspecified(closed)
        ? ': unspecified when'
        : closed.kind === 'when'
          ? ` when ${sayGrant(closed)}`
          : ''
      return `  ${whom(never)} takes it${when} (${place(closed.cell)}).`
    }),
  )

/** The rows `never` of an entity, as far as they close something. */
export const sayNevers = (app: App, entity: string): string[] =>
  (app.access.get(entity)?.nevers ?? []).flatMap(never => {
    const words: Readonly<Record<string, string>> = {
      do: 'take a step',
      emergency: inEmergency,
      changeTo: 'change to one',
    }
    const verbs = ['see', 'create', 'change', 'changeTo', 'delete', 'do', 'export', 'import', 'emergency'] as const
    const cells: readonly (readonly [what: string, grant: Specified<Grant>])[] = [
      ...verbs.flatMap(verb => (never[verb] === null ? [] : [[words[verb] ?? verb, never[verb]] as const])),
      ...never.steps.flatMap(({ steps, when }) => steps.map(step => [sayStep(app, entity, step), when] as const)),
    ]
    const closed = cells.flatMap(([what, grant]) => {
      if (!closes(grant)) return []
      if (isUnspecified(grant)) return [`${what}: unspecified, so nobody`]
      return [grant.kind === 'when' ? `${what} when ${sayGrant(grant)}` : what]
    })
    return closed.length === 0 ? [] : [`  ${whom(never)} may ${closed.join(', ')} (${place(never.cell)}).`]
  })

const sayStep = ({ workflows }: App, entity: string, step: string): string =>
  `take \`${workflows.get(entity)?.transitions.find(({ key }) => key === step)?.name ?? step}\``

/** A role: who has it, and its row in each table of permissions. */
export function roleThing(app: App, role: Role): Thing {
  return {
    names: [role.name],
    title: `role ${role.name}`,
    cell: role.cell,
    lines: () => [
      `  ${isUnspecified(role.who) ? 'Who has it is unspecified: nobody has it.' : `Who: ${role.who.cell.text}.`}`,
      ...(role.neverWith === null
        ? []
        : [`  Nobody may hold beside it: ${role.neverWith.roles.join(', ')} (${place(role.neverWith.cell)}).`]),
      ...(specified(app.signUpAs)?.roles.includes(role.name)
        ? [`  Given to whoever signs up: ${saySignUp(app)} (${place(app.product.signUp!.cell)}).`]
        : []),
      ...[...app.access.values()].flatMap(access =>
        access.rows
          .filter(row => row.role === role.name)
          .map(
            row =>
              `  ${app.entities.get(access.entity)?.name ?? access.entity}: ${sayRow(row, access)} (${place(row.cell)})`,
          ),
      ),
    ],
  }
}

/** What some roles may do beside the records themselves: the keys of headings 1, 6 and 7 that name roles. */
export function dutyThings(app: App): Thing[] {
  const duty = (
    names: readonly string[],
    title: string,
    { cell, roles }: NamedRoles,
    nobody: string,
    what: string,
  ): Thing => ({
    names,
    title,
    cell,
    lines: () => [roles.length === 0 ? `  ${nobody}` : `  ${roles.join(', ')}: ${what}`],
  })
  return [
    signUpThing(app),
    duty(
      ['document for'],
      'who reads the document in the application',
      app.documentFor,
      'Nobody, except in dev, where everybody does.',
      'at /-/document, with its lines, gaps, diagrams and permissions.',
    ),
    duty(
      ['assistants'],
      'in which roles assistants may act',
      app.assistants ?? { cell: app.product.cell, roles: ['Everybody'] },
      'In none: they get no further than the door.',
      'at /-/mcp, with the rights of that role.',
    ),
    duty(
      ['send again'],
      'who sends again what was not delivered',
      app.sendAgain,
      'Nobody, and nobody sees it.',
      'at /-/unsent, with the same key as before.',
    ),
    duty(
      ['personal data', 'personal data for'],
      'who gives out and erases what is held about people',
      app.personalDataFor,
      'Nobody in the application; `ninefold person` for whoever runs it.',
      'at /-/person-data.',
    ),
    duty(['read log', 'read log for'], 'who sees which records were read', app.readLog, 'Nobody.', 'at /-/reads.'),
    duty(
      ['second factor'],
      'who needs a second factor',
      app.secondFactor,
      'Nobody has to have one.',
      'without one they are led to set it up, and reach nothing else.',
    ),
    duty(['act as others'], 'who may act as another person', app.actAs, 'Nobody.', 'at /-/act, with a reason.'),
  ]
}

/** Who becomes a person without anybody else. */
function signUpThing(app: App): Thing {
  const { signUp, signIn, cell } = app.product
  const who = saySignUp(app)
  const fields = askedToSignUp(app.entities.get('person')!).map(({ label }) => label)
  const isSingle = signIn.some(way => specified(way)?.way === 'single sign-on')
  return {
    names: ['sign-up', 'sign up'],
    title: 'who signs up',
    cell: signUp?.cell ?? cell,
    lines: () =>
      who === null
        ? [signUp === null ? '  Nobody: people are invited.' : '  Nobody: the roles are unspecified.']
        : [
            `  ${capital(who)}.`,
            ...(signsUpByForm(app.product)
              ? [
                  `  At /-/sign-up, which asks for ${fields.join(', ')}. Nobody is there, and no role is given, before the link in the mail was followed.`,
                ]
              : []),
            ...(isSingle ? ['  At the first single sign-on, with an address that the provider has verified.'] : []),
          ],
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

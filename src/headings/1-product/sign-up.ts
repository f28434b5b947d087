/** Who may sign up by themselves, as heading 1 says: what they are asked for, and the roles that they have then. */
import { reporter } from '../../document/diagnostic.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Checked } from '../../expression/checked.ts'
import { conjuncts } from '../../expression/grouping.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import type { Entity, Field } from '../3-entities/model.ts'
import { holdsOf, newPerson } from '../6-permissions/by-record.ts'
import { readRoles } from '../6-permissions/declare.ts'
import { exceptOf, grants, isOfEverybody } from '../6-permissions/held.ts'
import type { Grant, NamedRoles, Role } from '../6-permissions/model.ts'
import type { App } from '../app.ts'
import { type Context, readSpecified } from '../context.ts'
import { open } from '../gaps/gap.ts'
import { isUnspecified, type Specified, specified } from '../specified.ts'
import { productCodes } from './codes.ts'

const section = 1

/** `… as Borrower`: roles that whoever signs up is given. Where heading 1 does not say it, none; left open, nobody can sign up. */
export function readSignUpAs(context: Context, written: Cell | null, place: Cell): Specified<NamedRoles> {
  if (written === null) return { cell: place, roles: [] }
  if (nothing(written) === 'none') return { cell: written, roles: [] }
  return readSpecified(context, written, open(section, 'signUpRoles'), one => readRoles(context, one, section))
}

const given: ReadonlySet<string> = new Set(['name', 'email'])

/** Fields of a person that whoever signs up is asked for: name and address, and what a person must have that nothing else fills. */
export const askedToSignUp = ({ fields }: Entity): readonly Field[] =>
  fields.filter(field => given.has(field.key) || mustBeTyped(field))

const mustBeTyped = (field: Field): boolean =>
  field.required !== null &&
  field.setBy === null &&
  fieldKind(field.kind).entered &&
  [field.default, field.computed, field.assignedFrom, field.copiedFrom].every(filled => filled === null)

/** What a stranger cannot be asked for: records that they do not see, files that would wait, secrets that would be kept as they are. */
const unasked: ReadonlySet<string> = new Set(['reference', 'several', 'list of', 'file', 'image', 'secret'])

/** Whether the document names a way in for which whoever signs up fills in a form. Where it names none, it is a password (A-SIGNIN-1). */
export const signsUpByForm = ({ signIn }: App['product']): boolean =>
  signIn.length === 0 || signIn.some(way => ['password', 'e-mail link'].includes(specified(way)?.way ?? ''))

/** Reports `N1110` where nobody could sign up, and `N1112` where who signs up would have more than is theirs. */
export function checkSignUp(context: Context, app: App): void {
  const { signUp } = app.product
  if (signUp === null) return
  const { report } = reporter(productCodes, section, context.found)
  const why = whyNobody(app)
  if (why !== null) report('N1110', signUp.cell, { why })
  for (const [role, reason] of tooMuch(app)) report('N1112', signUp.cell, { role, why: reason })
}

function whyNobody({ product, entities }: App): string | null {
  const { signIn, tenant } = product
  const asked = askedToSignUp(entities.get('person')!).filter(({ key }) => !given.has(key))
  const untold = asked.find(({ required }) => required!.when === null)
  const unaskable = asked.find(({ kind }) => unasked.has(kind))
  if (tenant !== null) return `it would stay open which ${tenant.entity} they belong to`
  if (untold !== undefined && signIn.some(way => specified(way)?.way === 'single sign-on'))
    return `\`${untold.key}\` of Person is required and has no default, and single sign-on tells only name and address`
  if (unaskable !== undefined && signsUpByForm(product))
    return `\`${unaskable.key}\` of Person is required and has no default, and a stranger cannot be asked for it`
  return null
}

/** Roles that whoever signs up would have and must not, and why; the first reason of each. */
function tooMuch(app: App): ReadonlyMap<string, string> {
  const named = specified(app.signUpAs)?.roles ?? []
  const found = new Map<string, string>()
  for (const role of app.roles.values()) {
    const who = specified(role.who)
    if (who === null) continue
    const isNamed = named.includes(role.name)
    const isTheirs =
      isNamed ||
      (isOfEverybody(who) && !exceptOf(who).some(other => named.includes(other))) ||
      (who.kind === 'when' && holdsOf(who.when, newPerson(app.entities.get('person')!)))
    const chosen = who.kind === 'when' ? chosenBy(app, who.when.reads) : null
    const why =
      isNamed && who.kind !== 'appointed'
        ? isOfEverybody(who)
          ? 'everybody has it, so it need not be named'
          : 'nobody is appointed to it'
        : chosen !== null
          ? `it goes by \`${chosen}\`, which they fill in themselves`
          : isTheirs
            ? whatItDecides(app, role)
            : null
    if (why !== null) found.set(role.name, why)
  }
  return found
}

/** The field of theirs that they fill in and a condition reads; their address is confirmed. */
function chosenBy({ entities, product }: App, reads: readonly string[]): string | null {
  const asked = signsUpByForm(product) ? askedToSignUp(entities.get('person')!) : []
  return asked.find(({ key }) => key !== 'email' && reads.includes(`my.${key}`))?.key ?? null
}

/** What the role decides about other people; null: nothing. */
function whatItDecides(app: App, { name }: Role): string | null {
  const appointed = [...app.roles.values()].find(({ who }) => {
    const to = specified(who)
    return to?.kind === 'appointed' && to.by.includes(name)
  })
  if (appointed !== undefined) return `it appoints ${appointed.name}`
  if (app.actAs.roles.includes(name)) return 'it may act as others'
  if (app.personalDataFor.roles.includes(name)) return 'it gives out and erases what is held about people'
  const row = app.access.get('person')?.rows.find(({ role }) => role === name)
  if (row === undefined) return null
  const may = (['create', 'delete', 'import', 'change'] as const).find(
    verb => grants(row[verb]) && !(verb === 'change' && isOwn(row.change)),
  )
  return may === undefined ? null : `it may ${may} people`
}

/** `this = me`, and perhaps more. */
const isOwn = (grant: Specified<Grant>): boolean =>
  !isUnspecified(grant) &&
  grant.kind === 'when' &&
  conjuncts(grant.expression.root).some(
    node =>
      node.op === 'compare' &&
      node.sign === '=' &&
      [node.left, node.right].some(({ op }) => op === 'me') &&
      [node.left, node.right].some(isItself),
  )

const isItself = (node: Checked): boolean =>
  node.op === 'field' &&
  (node.path.base === 'this' || node.path.base === 'own') &&
  node.path.steps.every(({ field }) => field === 'id')

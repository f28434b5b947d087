/** Whether people can sign up as heading 1 says: a name and an e-mail address must be enough. */
import { reporter } from '../../document/diagnostic.ts'
import type { App } from '../app.ts'
import type { Context } from '../context.ts'
import { said } from '../said.ts'
import { productCodes } from './codes.ts'

const given: ReadonlySet<string> = new Set(['name', 'email'])

/** Reports `N1110` where a person would need more than a name and an address, or where there are tenants. */
export function checkSignUp(context: Context, { product, entities }: App): void {
  const { signIn, signUp, tenant } = product
  if (signUp === null) return
  const missing = entities
    .get('person')
    ?.fields.find(
      ({ key, kind, required, default: preset, computed, assignedFrom, copiedFrom }) =>
        required?.when === null &&
        [preset, computed, assignedFrom, copiedFrom].every(filled => filled === null) &&
        kind !== 'auto number' &&
        !given.has(key),
    )
  const why = !signIn.some(way => said(way)?.way === 'single sign-on')
    ? '`Sign-in` does not name single sign-on'
    : tenant !== null
      ? `it would stay open which ${tenant.entity} they belong to`
      : missing !== undefined
        ? `\`${missing.key}\` of Person is required and has no default`
        : null
  if (why !== null) reporter(productCodes, 1, context.found).report('N1110', signUp.cell, { why })
}

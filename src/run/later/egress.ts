/** What a call finds outside: settings and secrets of the environment, the hosts that it may go to, and what must not be written down. */
import type { Cell } from '../../document/source.ts'
import type { Template } from '../../expression/expression.ts'
import type { App } from '../../headings/app.ts'
import { isUnspecified } from '../../headings/specified.ts'
import type { Reach } from '../../kinds/calls/http/address.ts'

type Variable = (name: string) => string | undefined

/** The environment variable behind a setting, `assets_url` say. */
export const variableOf = ({ settings }: App, setting: string): string =>
  settings.get(setting)?.variable ?? setting.toUpperCase()

/** In `dev`: the environment, and for what the document wants of it and it does not have, a value that is no secret. */
export const standingIn =
  (app: App, variable: Variable): Variable =>
  name =>
    variable(name) || (variablesOf(app).has(name) ? standingValue(name) : undefined)

export const standingValue = (name: string): string => `no-${name}`

/** A setting as the part of an address that it begins. */
const addressPart = (app: App, variable: Variable, setting: string): string =>
  (variable(variableOf(app, setting)) ?? '').replace(/\/+$/, '')

/** Of an address as it is stored: text, a setting that is looked up when the call is sent, or a value of the record, percent-encoded. */
export type AddressPart = string | { readonly setting: string } | { readonly value: string }

/** An address for people: settings by their variables, `{ASSETS_URL}/returns`. */
export const shownAddress = (app: App, parts: readonly AddressPart[]): string =>
  parts
    .map(part => {
      if (typeof part === 'string') return part
      return 'value' in part ? part.value : `{${variableOf(app, part.setting)}}`
    })
    .join('')

/**
 * The address that a call goes to. `wrong`: a value would make it another path, for what is read there as no name, `..` or nothing at
 * all, cannot be written in any other way.
 */
export function addressOf(
  app: App,
  variable: Variable,
  parts: readonly AddressPart[],
): { readonly url: string } | { readonly wrong: string } {
  const marked = parts.map(part => {
    if (typeof part === 'string') return part
    return 'setting' in part ? addressPart(app, variable, part.setting) : `${valueMark}${part.value}`
  })
  const [path = ''] = marked.join('').split(/[?#]/)
  const names = path.split('/').flatMap(name => (name.includes(valueMark) ? [name.replaceAll(valueMark, '')] : []))
  const wrong = names.find(name => /^(?:\.|%2e){0,2}$/i.test(name))
  if (wrong === undefined) return { url: marked.join('').replaceAll(valueMark, '') }
  return { wrong: `a value in its path is ${wrong === '' ? 'empty' : `\`${wrong}\``}: that would be another path` }
}

/** Stands before each value while an address is put together; no address has it. */
const valueMark = '\0'

/**
 * How far a call may go: `public` to hosts that the document writes out, `anywhere` to those of its settings, null to all others.
 * Asked of the address as it is sent, whatever was stored.
 */
export function reachOf(app: App, variable: Variable, url: string): Reach | null {
  const target = URL.parse(url)
  if (target === null) return null
  let reach: Reach | null = null
  for (const { request } of app.calls.values()) {
    const named = isUnspecified(request) ? null : namedHost(app, variable, request.url)
    if (named === null || named.origin !== target.origin) continue
    if (named.reach === 'anywhere') return named.reach
    reach = named.reach
  }
  return reach
}

function namedHost(
  app: App,
  variable: Variable,
  { parts }: Template,
): { readonly origin: string; readonly reach: Reach } | null {
  let text = ''
  let reach: Reach = 'public'
  for (const part of parts) {
    if (part.kind === 'text') text += part.text
    else if (part.expression.root.op === 'setting') {
      if (!hasHost(text)) reach = 'anywhere'
      text += addressPart(app, variable, part.expression.root.name)
      // Values of records cannot say where a call goes.
    } else if (!hasHost(text)) return null
    if (hasHost(text)) break
  }
  const origin = URL.parse(text)?.origin
  return origin === undefined ? null : { origin, reach }
}

/** Complete up to the slash behind the host. */
const hasHost = (text: string): boolean => /^[a-z]+:\/\/[^/?#]+[/?#]/i.test(text)

/** Takes the secrets of the document and the passwords of its addresses out of what the other side or the network said. */
export function redactor(app: App, variable: Variable, smtp: string | null): (text: string) => string {
  const names = [...app.calls.values()].flatMap(({ secret }) => secret?.name ?? [])
  const values = [
    ...[...app.settings.values()].flatMap(setting => (setting.secret ? variable(setting.variable) : undefined) ?? []),
    ...names.flatMap(name => variable(name) ?? []),
    ...[...app.settings.values()].flatMap(setting => passwordOf(variable(setting.variable))),
    ...passwordOf(smtp ?? undefined),
  ].filter(value => value.length > 2)
  const written = values.flatMap(value => [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ])
  // The longest first: one secret may begin like another.
  const all = [...new Set(written)].sort((left, right) => right.length - left.length)
  return text => all.reduce((rest, value) => rest.replaceAll(value, '•••'), text)
}

function passwordOf(address: string | undefined): readonly string[] {
  const { password } = URL.parse(address ?? '') ?? { password: '' }
  return password === '' ? [] : [password, decodeURIComponent(password)]
}

/** What the document wants of the environment, and where it says so. */
const variablesOf = ({ settings, calls, receives }: App): ReadonlyMap<string, Cell> =>
  new Map([
    ...[...settings.values()].map(({ variable, cell }) => [variable, cell] as const),
    ...[...calls.values()].flatMap(({ secret }) => (secret === null ? [] : [[secret.name, secret.cell] as const])),
    ...[...receives.values()].flatMap(({ proof }) => (proof === null ? [] : [[proof.variable, proof.cell] as const])),
  ])

/** Those of them that are not set, in the order of the document's headings. */
export const notSet = (app: App, variable: Variable): readonly (readonly [name: string, cell: Cell])[] =>
  [...variablesOf(app)].filter(([name]) => (variable(name) ?? '') === '')

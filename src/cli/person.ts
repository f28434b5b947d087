/** `ninefold person`: the first people of an application, before anybody is there who could appoint them in it. */

import { didYouMean } from '../document/nearest.ts'
import { engineValue } from '../headings/9-limits/engine.ts'
import type { App } from '../headings/app.ts'
import { specified } from '../headings/specified.ts'
import { parseDate } from '../kinds/fields/dates.ts'
import { ensureNamed } from '../run/many/seed.ts'
import type { Outcome } from '../run/outcome.ts'
import { appoint, type Days } from '../run/people/appointments.ts'
import { systemRequest } from '../run/people/people.ts'
import type { Request, Runtime } from '../run/request.ts'
import { create } from '../run/write/writes.ts'
import type { Store } from '../store/pool.ts'
import { place } from '../trace/words.ts'
import { newId, randomBytes } from '../web/random.ts'
import { accountOf } from '../web/sign-in/accounts.ts'
import { openLink } from '../web/sign-in/links.ts'
import { CannotRead, type Command, type Options, onlyFile, typed } from './command.ts'
import { onItsTables, openDatabase } from './database.ts'
import { variable } from './environment.ts'
import { loadApp } from './load.ts'
import { type Output, refuse } from './output.ts'
import { handlePerson } from './person-data.ts'
import { portOf, publicUrlOf } from './process.ts'

export const person: Command = {
  name: 'person',
  options: {
    email: { type: 'string', meaning: 'their e-mail address' },
    name: { type: 'string', meaning: 'their name; needed if they are new' },
    tenant: {
      type: 'string',
      meaning: 'the tenant they belong to, if the document has tenants; created if there is none of this name',
    },
    role: {
      type: 'string',
      multiple: true,
      meaning: 'a role that people are appointed to (heading 6); may be repeated',
    },
    from: { type: 'string', meaning: 'the first day of the roles that are given: 2026-12-01' },
    until: { type: 'string', meaning: 'the last day of the roles that are given; without it they are for good' },
    'give-out': {
      type: 'string',
      meaning: 'a folder to write all that is held about them into: data.json and files',
    },
    erase: { type: 'boolean', meaning: 'erase what is personal; says what has to be kept, and until when' },
  },
  async run(files, { email, name, tenant, role = [], from, until, erase, 'give-out': folder }, output) {
    if (typeof email !== 'string')
      throw new CannotRead(
        `'ninefold person' needs --email, e.g. ${typed('person', 'app.md', '--email', 'ada@example.org', '--name', 'Ada')}`,
      )
    const file = onlyFile(files, 'person')
    if (typeof folder === 'string' || erase === true)
      return handlePerson(
        file,
        email,
        { folder: typeof folder === 'string' ? folder : null, erase: erase === true },
        output,
      )
    const [called = null, of = null] = [name, tenant].map(one => (typeof one === 'string' ? one : null))
    const days = { from: dayIn(from, 'from'), until: dayIn(until, 'until') }
    const wanted = { email, name: called, tenant: of, roles: role as readonly string[], days }
    return addPerson(file, wanted, output)
  },
}

/** A day of the calendar; null: none was given. */
function dayIn(given: Options[string], option: string): string | null {
  if (typeof given !== 'string') return null
  const read = parseDate(given, 'en')
  if ('invalid' in read || read.value === null)
    throw new CannotRead(`--${option} is a day such as 2026-12-01; not '${given}'.`)
  return read.value as string
}

interface Wanted {
  readonly email: string
  readonly name: string | null
  readonly tenant: string | null
  readonly roles: readonly string[]
  readonly days: Days
}

async function addPerson(file: string, wanted: Wanted, output: Output): Promise<number> {
  const { app, errors } = loadApp(file)
  if (app === null || errors.length > 0) return refuse(output, errors)
  const wrong = notGiven(app, wanted.roles)
  if (wrong !== null) {
    output.fail(wrong)
    return 1
  }
  const database = await openDatabase(file, output.say, { share: true, version: app.version })
  try {
    const problem = await onItsTables(file, () => give(app, database.store, wanted, output))
    if (problem !== null) output.fail(problem)
    return problem === null ? 0 : 1
  } finally {
    await database.close()
  }
}

/** A role that is not there, or that people have by what they are and not by appointment; null: there is none among these. */
function notGiven(app: App, roles: readonly string[]): string | null {
  const given = [...app.roles.values()].flatMap(({ name, who }) => (specified(who)?.kind === 'appointed' ? [name] : []))
  const wrong = roles.find(role => !given.includes(role))
  if (wrong === undefined) return null
  const role = app.roles.get(wrong)
  const all = `Roles that people are appointed to: ${given.join(', ')}.`
  return role === undefined
    ? `There is no role '${wrong}'${didYouMean(wrong, given) || `. ${all}`}`
    : `Nobody is appointed to the role '${wrong}': ${place(role.cell)} says who has it. ${all}`
}

/** Null when it is done, else what stands in the way. */
async function give(
  app: App,
  store: Store,
  { email, name, tenant, roles, days }: Wanted,
  output: Output,
): Promise<string | null> {
  const origin = publicUrlOf(variable('PUBLIC_URL')) ?? `http://localhost:${portOf(variable('PORT'))}`
  const runtime = { app, store }
  const now = new Date()
  const request = await systemRequest(runtime, 'seed', { now, newId, id: newId(), locale: 'en' })
  const known = await accountOf(store, email)
  if (known === null && name === null) return `Nobody has the address ${email}. To create them, give a --name.`
  const whose = known === null && tenant !== null ? await tenantNamed(runtime, request, tenant) : {}
  if (typeof whose === 'string') return whose
  const values = { name, email, ...whose }
  const made =
    known === null ? await create(runtime, request, 'person', { values, children: {}, invalidValues: [] }) : null
  if (made !== null && made.kind !== 'done') return reasons(made)
  const id = known?.person ?? (made?.kind === 'done' ? made.id : '')
  for (const role of roles) {
    const outcome = await appoint(runtime, request, id, role, days)
    if (outcome.kind !== 'done') return reasons(outcome)
  }
  const token = await openLink(store, id, now, randomBytes, 'sign_in', request.limits)
  const minutes = engineValue(request.limits, 'sign_in_link')
  const link = `${origin.replace(/\/+$/, '')}/-/link?${new URLSearchParams({ token })}`
  output.result({ email, created: known === null, roles, link, minutes })
  output.say(
    `${known === null ? 'Created' : 'Found'} ${email}${roles.length === 0 ? '' : `, appointed ${roles.join(', ')}`}.`,
  )
  output.say(`Signs in once, within ${minutes} minutes: ${link}`)
  return null
}

/** Whom the person belongs to, as a value of Person; a text says what stands in the way. */
async function tenantNamed(
  runtime: Runtime,
  request: Request,
  name: string,
): Promise<Readonly<Record<string, string>> | string> {
  const { tenant } = runtime.app.product
  if (tenant === null) return 'The document names no tenant, so nobody belongs to one.'
  const id = await ensureNamed(runtime, request, tenant.entity, name)
  return id === null
    ? `There is no ${tenant.cell.text} '${name}', and it needs more than a name.`
    : { [tenant.field]: id }
}

const reasons = (outcome: Outcome): string =>
  outcome.kind === 'refused'
    ? outcome.problems.map(({ message, whatToDo }) => `${message} ${whatToDo ?? ''}`).join('\n')
    : 'That did not work.'

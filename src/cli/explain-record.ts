/** `ninefold explain --record --person`: what the page "What may I do here?" says, on the terminal. */
import type { App } from '../headings/app.ts'
import { readWhy } from '../run/access/why.ts'
import { requestFor } from '../run/people/people.ts'
import type { Runtime } from '../run/request.ts'
import type { WhyView } from '../ui/why.tsx'
import { newId } from '../web/random.ts'
import { whyView } from '../web/screens/why.ts'
import { accountOf } from '../web/sign-in/accounts.ts'
import { siteOf } from '../web/site.ts'
import { CannotRead } from './command.ts'
import { onItsTables, openDatabase } from './database.ts'
import { loadApp } from './load.ts'
import { type Output, refuse } from './output.ts'

/** Prints the page; gives the exit code. */
export async function explainRecord(file: string, record: string, person: string, output: Output): Promise<number> {
  const { app, found } = loadApp(file)
  if (app === null)
    return refuse(
      output,
      found.filter(({ severity }) => severity === 'error'),
    )
  const database = await openDatabase(file, output.warn, { share: true, version: app.version })
  try {
    const runtime = { app, store: database.store }
    const lines = await onItsTables(file, () => recordLines(runtime, record, person, new Date()))
    const text = lines.join('\n')
    output.result({ record, person, text })
    output.say(text)
    return 0
  } finally {
    await database.close()
  }
}

/** Throws `CannotRead` where there is no such person, or no such record for them. */
export async function recordLines(
  runtime: Runtime,
  record: string,
  email: string,
  now: Date,
): Promise<readonly string[]> {
  const { app, store } = runtime
  const known = await accountOf(store, email)
  if (known === null) throw new CannotRead(`Nobody has the address ${email}.`)
  const site = siteOf(runtime, { provenance: true, document: null })
  const { entity, value } = named(app, record)
  const by = { field: site.routes.places.get(entity)?.by ?? 'id', value }
  const door = { now, id: newId(), newId, locale: site.reader.locale }
  const why = await readWhy(runtime, await requestFor(runtime, known.person, door), { entity, by })
  if (why === null)
    throw new CannotRead(`There is no ${app.entities.get(entity)!.name} '${value}', or ${known.name} does not see it.`)
  const view = whyView(site, why, known.name)
  return [
    view.title,
    view.who,
    ...view.groups.flatMap(({ title, items }) => (items.length === 0 ? [] : ['', title, ...items.flatMap(itemLines)])),
  ]
}

function itemLines({ label, open, why, decidedBy }: WhyView): readonly string[] {
  return [
    `  ${open ? 'yes' : 'no '}  ${label}: ${why}`,
    ...decidedBy.map(({ line, text, condition, values }) => {
      const read = values.map(({ name, value }) => `${name.written}: ${value ?? 'not shown to them'}`)
      const says = [text, condition === null ? null : `\`${condition.written}\``]
        .filter(part => part !== null)
        .join(' ')
      return `         ${line.file}:${line.line}${says === '' ? '' : ` ${says}`}${read.length === 0 ? '' : ` (${read.join('; ')})`}`
    }),
  ]
}

/** "Loan LN-2026-00007": the name of an entity, and what names the record in addresses. */
function named(app: App, record: string): { readonly entity: string; readonly value: string } {
  const entity = [...app.entities.values()]
    .sort((left, right) => right.name.length - left.name.length)
    .find(({ name }) => record.toLowerCase().startsWith(`${name.toLowerCase()} `))
  if (entity === undefined)
    throw new CannotRead(`'${record}' begins with no entity of the document: write it like "Loan LN-2026-00007".`)
  return { entity: entity.key, value: record.slice(entity.name.length).trim() }
}

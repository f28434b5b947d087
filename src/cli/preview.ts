/** `ninefold preview`: what somebody reads on a screen, as text, on an empty database of its own with the sample data. */
import type { App } from '../headings/app.ts'
import { isUnspecified } from '../headings/specified.ts'
import type { Site } from '../verify/client.ts'
import { openPage, plainText } from '../verify/page.ts'
import { visitor } from '../verify/world.ts'
import { CannotRead, type Command, typed } from './command.ts'
import { loadApp } from './load.ts'
import { refuse } from './output.ts'
import { emptyDatabase, rehearse } from './rehearsal.ts'

export const preview: Command = {
  name: 'preview',
  options: {
    person: {
      type: 'string',
      meaning: 'a demo person, by name; without it, somebody who has not signed in',
    },
  },
  async run([file, address, ...more], { person }, output) {
    if (file === undefined || address === undefined || more.length > 0)
      throw new CannotRead(
        `'ninefold preview' takes a file and an address of the application, e.g. ${typed('preview', 'app.md', '/loans', '--person', 'Ben')}`,
      )
    const { app, errors } = loadApp(file)
    if (app === null || errors.length > 0) return refuse(output, errors)
    const database = await emptyDatabase()
    try {
      const { site, close } = await rehearse(app, database.store, {
        sampleFiles: true,
        leftOut: ({ row, line, message, code }) =>
          output.warn(`${row ?? line}: this row of the sample data is left out: ${message} (${code}, ${line})`),
      })
      try {
        const shown = await screenText(app, site, address, typeof person === 'string' ? person : null)
        if ('refused' in shown) output.fail(shown.refused)
        else {
          output.result({ address, person: person ?? null, text: shown.text })
          output.say(shown.text)
        }
        return 'refused' in shown ? 1 : 0
      } finally {
        await close()
      }
    } finally {
      await database.drop()
    }
  },
}

async function screenText(
  app: App,
  site: Site,
  address: string,
  name: string | null,
): Promise<{ readonly text: string } | { readonly refused: string }> {
  const player = name === null ? visitor : site.players.find(one => one.name === name)
  if (player === undefined) {
    const people = site.players.map(one => `${one.name} (${one.roles.join(', ')})`).join(', ')
    throw new CannotRead(`${app.name} has no demo person '${name}'. There are: ${people}.`)
  }
  if (!address.startsWith('/')) throw new CannotRead(`'${address}' is no address: it begins with /, as in heading 2.`)
  const page = await openPage(site, player, address)
  if (page.kind === 'shown') return { text: readable(page.html) }
  const routes = app.screens.flatMap(({ route }) => (isUnspecified(route) ? [] : [route.cell.text]))
  return {
    refused: `${address} shows ${name ?? 'a visitor'} nothing (${page.why}). Addresses of heading 2: ${routes.join(', ')}.`,
  }
}

/** The main part of a page line by line, cells of a table apart; what only machines read, and what could be chosen, is left out. */
function readable(html: string): string {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? html
  const lines = main
    .replace(/<(script|style|svg|template|select|datalist)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<\/(?:td|th)>/g, ' | ')
    .replace(/<(?:h[1-6]|li|p|div|tr|dt|section|form|label|button|summary|table)\b/g, '\n$&')
    .split('\n')
    .map(plainText)
  return lines.filter(line => line !== '' && line !== '|').join('\n')
}

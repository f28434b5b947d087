/** What an answer of a call reported, on the page of what was not delivered: for whoever may send it again. */
import type { Site } from './client.ts'
import { openPage, plainText } from './page.ts'
import type { CallRow } from './world.ts'

/** Its words, its status and its code, in the row of that call. Nobody may send it again: nobody is told. */
export async function otherUndelivered(site: Site, { id, error }: CallRow, code: string): Promise<readonly string[]> {
  const { app, players, judged } = site
  const reader = players.find(({ roles }) => app.sendAgain.roles.some(role => roles.includes(role)))
  const entry = app.errors.get(code)
  if (reader === undefined || entry === undefined) return []
  const page = await openPage(site, reader, '/-/unsent')
  if (page.kind !== 'shown') return [`${reader.name} is not shown what was not delivered: ${page.why}`]
  const row = page.html.split('<tr').find(text => text.includes(`name="id" value="${id}"`))
  if (row === undefined) return [`what was not delivered does not tell ${reader.name} of it`]
  judged.in(entry.cell, 'Status')
  const text = plainText(row)
  return [error ?? '', `${entry.status}, ${code}`]
    .filter(said => !text.includes(plainText(said)))
    .map(said => `what was not delivered does not say '${said}'`)
}

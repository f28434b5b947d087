/** For tests: a shed whose tools are brought in from files. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { sql } from '../expression/sql.ts'
import { readSound } from '../run/testing.ts'
import { multipart, type Page, startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

export interface ImportDesk {
  readonly web: TestWeb
  /** May import. */
  readonly keeper: TestBrowser
  /** May not. */
  readonly helper: TestBrowser
  readonly tools: () => Promise<readonly Record<string, unknown>[]>
  readonly clear: () => Promise<unknown>
  readonly upload: (browser: TestBrowser, content: string | Buffer, name?: string) => Promise<Page>
  /** Uploads, and says that the columns are right as they were found. Gives the address of the job. */
  readonly tried: (content: string | Buffer, more?: Readonly<Record<string, string>>) => Promise<string>
}

export async function startImports(databaseUrl: string): Promise<ImportDesk> {
  const web = await startTestWeb(
    databaseUrl,
    readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
      text
        .replace('Languages:** English', 'Languages:** English, German')
        .replace(/(?=^## 2)/m, '### German\n\n| Text | Translation |\n| --- | --- |\n| Worn | Abgenutzt, alt |\n\n')
        .replace('| since | date | |', '| since | date | |\n| tag | text 10 | unique within since |')
        .replace(
          '| bought | date | |',
          '| bought | date | |\n| rate | decimal 10.4 | |\n| discount | percent | max 50% |\n| condition | choice: Good, Worn | |\n| seen_as | several of: Good, Worn | |',
        ),
    ),
  )
  const [keeper, helper] = await Promise.all([web.browser('Kira'), web.browser('Hugo')])
  const upload: ImportDesk['upload'] = async (browser, content, name = 'tools.csv') =>
    browser.request(
      'POST',
      '/-/import?entity=tool',
      multipart([
        ['_csrf', await browser.token()],
        ['file', content, name],
      ]),
    )
  return {
    web,
    keeper,
    helper,
    upload,
    tools: () =>
      web.run.runtime.store.query<Record<string, unknown>>(
        sql`select code, name, price, count, bought, electric, version from public.tool order by code`,
      ),
    clear: () => web.run.runtime.store.inTransaction(tx => tx.write(sql`delete from public.tool`)),
    async tried(content, more = {}) {
      const { location, status, text } = await upload(keeper, content)
      expect([status, status === 303 ? '' : text]).toEqual([303, ''])
      const page = await keeper.submit(location!, location!, { do: 'check', ...more })
      expect(page.status).toBe(303)
      return location!
    },
  }
}

/** What a row of the trial says, its cells parted by `|`. */
export const rowOf = (text: string, number: number): string =>
  new RegExp(`role="rowheader"[^>]*>${number}</th>(.*?)</tr>`, 's')
    .exec(text)?.[1]
    ?.replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, '|')
    .replaceAll(/\|+/g, '|') ?? ''

export const goodTools =
  'Code,Name,Kind,Price,Count,Bought,Electric\nB-1,Jigsaw,Saw,99.90,2,2026-01-31,yes\nB-2,Auger,Drill,"1,200.00",1,,\n'

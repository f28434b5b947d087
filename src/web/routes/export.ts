/** `/loans?state=Out&_export=csv`: what the list shows, as a file. Its own permission; without it there is nothing here. */
import type { Screen } from '../../headings/2-screens/model.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { readOut } from '../../run/read/read-out.ts'
import { notFound } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { sheetColumns } from '../screens/export.ts'
import { exportName, type SheetCell, sheetFormats } from '../sheets.ts'

export async function exportList(context: RequestContext, screen: Screen, need: RowsNeed): Promise<HttpResponse> {
  const { site, runtime, request, query, web, method } = context
  const format = sheetFormats.get(query.get(exportName) ?? '')
  const found = format === undefined ? null : await readOut(runtime, request, need)
  if (format === undefined || found === null) return notFound(context)
  const columns = need.columns.filter(key => found.columns.includes(key))
  const { labels, shows, cells } = sheetColumns(site, need.entity, columns, format.typed)
  const written = counted(found.pages, cells, rows =>
    web.options.log({
      level: 'info',
      event: 'export',
      request: request.id,
      detail: { person: request.actor.id, entity: need.entity, format: format.name, columns, rows },
    }),
  )
  return {
    status: 200,
    headers: {
      'content-type': format.type,
      'content-disposition': `attachment; filename="${screen.key.replaceAll('_', '-')}-${request.today}.${format.name}"`,
    },
    cookies: [],
    body: method === 'HEAD' ? '' : format.write(screen.name.text, labels, written, { shows }),
  }
}

/** Told once, how many rows really left: also where somebody breaks the download off. */
async function* counted(
  pages: AsyncIterable<readonly ReadRow[]>,
  cells: (row: ReadRow) => readonly SheetCell[],
  told: (rows: number) => void,
) {
  let rows = 0
  try {
    for await (const page of pages) {
      rows += page.length
      yield page.map(cells)
    }
  } finally {
    told(rows)
  }
}

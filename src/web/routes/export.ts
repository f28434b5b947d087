/** `/loans?state=Out&_export=csv`: what the list shows, as a file, with `_rows` with the rows of each record. Its own permission; without it there is nothing here. */
import type { Screen } from '../../headings/2-screens/model.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import type { RowsNeed } from '../../kinds/screens/screen-kind.ts'
import { listsOut, readOut, rowsOut } from '../../run/read/read-out.ts'
import { notFound } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { rowColumns, sheetColumns } from '../screens/export.ts'
import { exportName, type SheetCell, sheetFormats, withRowsName } from '../sheets.ts'

export async function exportList(context: RequestContext, screen: Screen, need: RowsNeed): Promise<HttpResponse> {
  const { site, runtime, request, query, web, method } = context
  const format = sheetFormats.get(query.get(exportName) ?? '')
  const found = format === undefined ? null : await readOut(runtime, request, need)
  if (format === undefined || found === null) return notFound(context)
  const columns = need.columns.filter(key => found.columns.includes(key))
  const own = sheetColumns(site, need.entity, columns, format.typed)
  const lists = query.has(withRowsName) ? listsOut(runtime, request, need.entity) : []
  const rows = rowColumns(site, need.entity, lists, format.typed)
  const linesOf = async (page: readonly ReadRow[]) => {
    if (lists.length === 0) return page.map(own.cells)
    const below = await rowsOut(
      runtime,
      request,
      need.entity,
      page.map(({ id }) => id),
    )
    return page.flatMap(row => rows.lines(below.get(row.id)?.children ?? {}).map(line => [...own.cells(row), ...line]))
  }
  const written = counted(found.pages, linesOf, rows =>
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
    body:
      method === 'HEAD'
        ? ''
        : format.write(screen.name.text, [...own.labels, ...rows.labels], written, {
            shows: [...own.shows, ...rows.shows],
          }),
  }
}

/** Told once, how many rows really left: also where somebody breaks the download off. */
async function* counted(
  pages: AsyncIterable<readonly ReadRow[]>,
  linesOf: (page: readonly ReadRow[]) => Promise<readonly (readonly SheetCell[])[]>,
  told: (rows: number) => void,
) {
  let rows = 0
  try {
    for await (const page of pages) {
      rows += page.length
      yield await linesOf(page)
    }
  } finally {
    told(rows)
  }
}

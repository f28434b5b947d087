/** Figures of a page as a file. */
import type { Screen } from '../../headings/2-screens/model.ts'
import type { FiguresFile } from '../../kinds/screens/screen-page.ts'
import { notFound } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { mayExport } from '../screens/figures.ts'
import { exportName, sheetFormats } from '../sheets.ts'

/** For whoever may take their records along, in a format that there is. */
export async function figuresFile(
  context: RequestContext,
  screen: Screen,
  { entity, head, shows, rows }: FiguresFile,
): Promise<HttpResponse> {
  const { query, request, web, method } = context
  const format = sheetFormats.get(query.get(exportName) ?? '')
  if (format === undefined || !mayExport(context, entity)) return notFound(context)
  web.options.log({
    level: 'info',
    event: 'export',
    request: request.id,
    detail: { person: request.actor.id, entity, format: format.name, columns: head, rows: rows.length },
  })
  return {
    status: 200,
    headers: {
      'content-type': format.type,
      'content-disposition': `attachment; filename="${screen.key.replaceAll('_', '-')}-${request.today}.${format.name}"`,
    },
    cookies: [],
    body: method === 'HEAD' ? '' : format.write(screen.name.text, head, pages(rows), { shows }),
  }
}

async function* pages<Row>(rows: readonly Row[]) {
  yield rows
}

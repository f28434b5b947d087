/** Reports: one statement for the figures and one for the records behind a group. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { ReportScreen } from '../../kinds/screens/report/view.tsx'
import type { ReportNeed } from '../../kinds/screens/screen-kind.ts'
import { read } from '../../run/read/read.ts'
import { figureRows } from '../bounds.ts'
import { notFound, viewPage } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { building } from '../screens/common.ts'
import { behindNeed, mayExport, reportSheet, reportView } from '../screens/report.ts'
import { exportName, sheetFormats } from '../sheets.ts'

export async function reportPage(
  context: RequestContext,
  screen: Screen,
  need: ReportNeed,
  ignored: readonly string[],
): Promise<HttpResponse> {
  const { runtime, request, query } = context
  const build = building(context)
  const isFile = query.has(exportName)
  const behind = isFile ? null : behindNeed(build, need)
  const [data, rows] = await Promise.all([
    read(runtime, request, isFile ? { ...need.figures, limit: figureRows } : need.figures),
    behind === null ? null : read(runtime, request, behind),
  ])
  if (data === null) return notFound(context)
  if (isFile) return exportReport(context, screen, need, data)
  const view = reportView(build, { screen, need, ignored, data, rows })
  return viewPage(context, view, <ReportScreen view={view} />, [])
}

async function exportReport(
  context: RequestContext,
  screen: Screen,
  need: ReportNeed,
  data: Parameters<typeof reportSheet>[2],
): Promise<HttpResponse> {
  const { query, request, web, method } = context
  const build = building(context)
  const { entity } = need.figures
  const format = sheetFormats.get(query.get(exportName) ?? '')
  if (format === undefined || !mayExport(build, entity)) return notFound(context)
  const { head, shows, rows } = reportSheet(build, need, data, format.typed)
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

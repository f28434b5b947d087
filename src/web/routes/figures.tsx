/** Reports: one statement for the figures and one for the records behind a group. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { ReportScreen } from '../../kinds/screens/report/view.tsx'
import type { ReportNeed } from '../../kinds/screens/screen-kind.ts'
import type { FiguresFile } from '../../kinds/screens/screen-page.ts'
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
  if (isFile) {
    const { typed = false } = sheetFormats.get(query.get(exportName)!) ?? {}
    return figuresFile(context, screen, { entity: need.figures.entity, ...reportSheet(build, need, data, typed) })
  }
  const view = reportView(build, { screen, need, ignored, data, rows })
  return viewPage(context, view, <ReportScreen view={view} />, [])
}

/** Figures as a file, for whoever may take their records along, in a format that there is. */
export async function figuresFile(
  context: RequestContext,
  screen: Screen,
  { entity, head, shows, rows }: FiguresFile,
): Promise<HttpResponse> {
  const { query, request, web, method } = context
  const format = sheetFormats.get(query.get(exportName) ?? '')
  if (format === undefined || !mayExport(building(context), entity)) return notFound(context)
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

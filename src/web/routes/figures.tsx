/** Dashboards and reports: one statement for each card, one for a report's figures and one for the records behind a group. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { DashboardScreen } from '../../kinds/screens/dashboard/view.tsx'
import { ReportScreen } from '../../kinds/screens/report/view.tsx'
import type { DashboardNeed, ReportNeed } from '../../kinds/screens/screen-kind.ts'
import { read } from '../../run/read/read.ts'
import { figureRows } from '../bounds.ts'
import { notFound, viewPage } from '../pages.tsx'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { building } from '../screens/common.ts'
import { type CardData, cardNeed, dashboardView } from '../screens/dashboard.ts'
import { behindNeed, mayExport, reportSheet, reportView } from '../screens/report.ts'
import { exportName, sheetFormats } from '../sheets.ts'
import { waitingFor } from '../waiting.ts'

/** What waits for somebody is counted with the first card. */
export async function dashboardPage(
  context: RequestContext,
  screen: Screen,
  need: DashboardNeed,
  ignored: readonly string[],
): Promise<HttpResponse> {
  const { request } = context
  const build = building(context)
  const reading = readingAtOnce(context)
  const dataOf = async (card: DashboardNeed['cards'][number], index: number): Promise<CardData> => {
    const asked = card === null ? null : cardNeed(build, card)
    const { runtime } = index === 0 ? reading : context
    if (asked === null) return null
    return asked.kind === 'figures' ? read(runtime, request, asked) : read(runtime, request, asked)
  }
  const [, ...data] = await Promise.all([waitingFor(reading), ...need.cards.map(dataOf)])
  const view = dashboardView(build, screen, need, data, ignored)
  return viewPage(context, view, <DashboardScreen view={view} />, [])
}

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

/** What a page shows, as PDF. */
import type { Screen } from '../../headings/2-screens/model.ts'
import type { PaperFile } from '../../kinds/screens/screen-page.ts'
import { raise } from '../../run/problems/raise.ts'
import type { Sheet } from '../../ui/paper/paper.ts'
import { problemPage, refusalPage } from '../pages.tsx'
import { setApart } from '../paper.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { say } from '../sentences.ts'
import { paperFormat } from '../sheets.ts'
import { fileNameOf } from './files.ts'

/** Where records leave with it, it is written down as of other files. */
export async function paperFile(
  context: RequestContext,
  screen: Screen,
  { sheets, out, tooMany }: PaperFile,
): Promise<HttpResponse> {
  const { site, web, request } = context
  if (tooMany && out !== null) return refusalPage(context, raise(site.app, 'NF-PRINT-MANY', { most: String(out.rows) }))
  if (out !== null)
    web.options.log({
      level: 'info',
      event: 'export',
      request: request.id,
      detail: { person: request.actor.id, format: paperFormat, ...out },
    })
  const [sheet] = sheets
  return pdfOf(
    context,
    out === null && sheet !== undefined ? sheet.title : `${screen.name.text} ${request.today}`,
    sheets,
  )
}

export async function pdfOf(context: RequestContext, title: string, sheets: readonly Sheet[]): Promise<HttpResponse> {
  const { app, reader } = context.site
  const { brand } = app.product
  const { logo, theme, letterhead } = brand
  const pdf = await setApart({
    title,
    language: reader.locale,
    direction: reader.direction,
    letterhead: letterhead.length === 0 ? [app.name] : letterhead,
    logo: logo !== null && /^image\/(png|jpeg)$/.test(logo.type) ? logo.content : null,
    sheets,
    fonts: (theme?.files ?? []).filter(({ type }) => type === 'woff').map(({ content }) => content),
  })
  if (pdf === null) return problemPage(context, { status: 422, what: say(context.site, 'paperTooLong') })
  return {
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; ${fileNameOf(`${title}.pdf`)}`,
    },
    cookies: [],
    body: pdf,
  }
}

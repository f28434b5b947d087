/** Many records on paper, one after the other, each on pages of its own: those that are ticked in a list, or all that it shows. */

import { specified } from '../../headings/specified.ts'
import { kindOf } from '../../kinds/screens/index.ts'
import { screenPages } from '../../kinds/screens/pages.ts'
import { raise } from '../../run/problems/raise.ts'
import { readEach } from '../../run/read/each.ts'
import { askedBy, read } from '../../run/read/read.ts'
import { PrintSheet } from '../../ui/print.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { Letterhead, renderPiece } from '../../ui/shell.tsx'
import { mayOpen } from '../access.ts'
import { printRecords } from '../bounds.ts'
import { notFound, pageOf, refusalPage } from '../pages.tsx'
import { presenterOf } from '../presenter.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { screenMark } from '../screens/common.ts'
import { thingsOf } from '../screens/things.ts'
import { say } from '../sentences.ts'
import { exportName, paperFormat } from '../sheets.ts'
import { brandOf } from '../shell.ts'
import { safeNext } from '../sign-in/next.ts'
import { capital } from '../site.ts'
import { inTurns } from '../turns.ts'
import { needOf, nothingChosen } from './bulk.tsx'
import { pdfOf } from './paper.ts'
import { postedForm } from './sign-in.tsx'

/** What somebody does not see is not among them; in the order of the list. */
export async function printMany(context: RequestContext): Promise<HttpResponse> {
  const { site, web, runtime, request, query } = context
  const screen = site.app.screens.find(({ key }) => key === query.get('screen'))
  const paper = screen && screenPages.get(kindOf(screen)?.name ?? '')?.paper
  const entity = screen === undefined ? null : (specified(screen.shows)?.entity ?? null)
  if (screen === undefined || paper === undefined || entity === null || !mayOpen(screen, request.actor))
    return notFound(context)
  const form = postedForm(context)
  const need = needOf(context, form, entity)
  const rows = need === null ? [] : ((await read(runtime, request, { ...need, limit: printRecords + 1 }))?.rows ?? [])
  if (need === null || rows.length === 0) return nothingChosen(context)
  if (rows.length > printRecords)
    return refusalPage(context, raise(site.app, 'NF-PRINT-MANY', { most: String(printRecords) }))
  const ticked = form.getAll('id')
  const ordered =
    form.get('_all') === 'yes' ? rows : rows.toSorted((a, b) => ticked.indexOf(a.id) - ticked.indexOf(b.id))
  const ids = ordered.map(({ id }) => id)
  const whole = { entity, shown: 'page', told: paper.told(screen) } as const
  const records = await readEach(runtime, askedBy(site.app, request, need), whole, ids)
  const presenter = presenterOf(context, {})
  const things = capital(thingsOf(site, entity))
  if (query.get(exportName) === paperFormat) {
    const sheets = await inTurns(records, record => paper.set(screen, presenter, entity, record))
    return pdfOf(context, `${things} ${request.today}`, sheets)
  }
  // A hundred records with hundreds of rows each are seconds.
  const sheets = await inTurns(records, (record, at) => {
    return renderPiece(
      <ReaderProvider reader={site.reader}>
        <PrintSheet head={at === 0 ? null : <Letterhead app={brandOf(web, site)} />}>
          {paper.sheet(screen, presenter, entity, record)}
        </PrintSheet>
      </ReaderProvider>,
    )
  })
  return pageOf(context, {
    title: [screen.name.text],
    decidedBy: [screenMark(site, screen)],
    paper: {
      foot: '',
      back: { label: say(site, 'backTo', { name: things }), href: safeNext(form.get('_list')) },
      sent: [...form].map(([name, value]) => ({ name, value })),
    },
    content: { html: sheets.join('') },
  })
}

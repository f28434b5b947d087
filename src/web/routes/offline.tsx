/** What an application on a home screen has where nothing can be reached: a script that keeps one page, and that page. */
import { LinkButton } from '../../ui/buttons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { renderPage } from '../../ui/shell.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, html } from '../response.ts'
import { say } from '../sentences.ts'
import { bareShell } from '../shell.ts'

/** Has an address of its own that stays, and is heard by all pages. */
export function worker({ web }: RequestContext): HttpResponse {
  const { assets } = web.options
  const { type, plain } = assets.files.get(assets.href('worker.js'))!
  return { status: 200, headers: { 'content-type': type, 'service-worker-allowed': '/' }, cookies: [], body: plain }
}

/** The same for everybody who reads the language. */
export function offlinePage({ web, site }: RequestContext): HttpResponse {
  const title = say(site, 'offlineTitle')
  return html(
    renderPage({
      reader: site.reader,
      shell: bareShell(web, site, false),
      title: [title],
      content: (
        <>
          <PageHead title={title} />
          <p>{say(site, 'offlineText')}</p>
          <LinkButton href="">{site.reader.words('tryAgain')}</LinkButton>
        </>
      ),
    }),
  )
}

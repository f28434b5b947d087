/** `/-/errors/E-DUE-1`: what a code of the catalogue, or one of Ninefold's own, means; where problems of the API point to. */

import { builtIn } from '../../headings/8-errors/built-in.ts'
import { isUnspecified } from '../../headings/specified.ts'
import { builtInWords } from '../../run/problems/problems.ts'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { LineMark } from '../../ui/provenance.tsx'
import { ReaderProvider } from '../../ui/reader.tsx'
import { notFound, pageOf } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'

export function errorPage(context: RequestContext): Promise<HttpResponse> {
  const { site, path } = context
  const code = path.slice('/-/errors/'.length)
  const own = site.app.errors.get(code)
  const base = Object.hasOwn(builtIn, code) ? builtInWords(code, site.app.language) : undefined
  if (own === undefined && base === undefined) return notFound(context)
  const message = own === undefined || isUnspecified(own.message) ? base?.message : own.message.text
  return pageOf(context, {
    title: [code],
    content: (
      <ReaderProvider reader={site.reader}>
        <PageHead title={code} />
        <Sheet title={message ?? code}>
          <p>{own?.whatToDo?.text ?? base?.whatToDo}</p>
          {own !== undefined && <LineMark line={site.mark(own.cell)} />}
        </Sheet>
      </ReaderProvider>
    ),
  })
}

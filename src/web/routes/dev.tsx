/** Pages that only `dev` has (and the one of a document that says nothing yet): the document, its mistakes, the mailbox, the clock. */

import { position } from '../../document/cell.ts'
import type { Diagnostic } from '../../document/diagnostic.ts'
import { nineTitles } from '../../document/nine.ts'
import type { SourceFile, Span } from '../../document/source.ts'
import { sql } from '../../expression/sql.ts'
import { gapTexts } from '../../headings/gaps/gap.ts'
import { localMoment, parseMoment } from '../../kinds/fields/dates.ts'
import { readCensus } from '../../run/read/census.ts'
import { TextControl } from '../../ui/controls.tsx'
import { Diagnostics, type DiagnosticView, type FrameLine, Mailbox, MailView } from '../../ui/development.tsx'
import { DocumentOverview, type HeadingView, Seed, SourceText } from '../../ui/document.tsx'
import { Field } from '../../ui/form.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { csrfInput, flashCookie, notFound, pageOf, problemPage } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { assumptionText } from '../screens/assumptions.ts'
import { namedCount } from '../screens/things.ts'
import { type SentenceKey, say } from '../sentences.ts'
import { safeNext } from '../sign-in/next.ts'
import { carrySessions } from '../sign-in/session.ts'
import { linesShown, type Site } from '../site.ts'
import { countedTo, documentPages } from './document.tsx'
import { enter } from './enter.tsx'
import { postedForm } from './sign-in.tsx'

export function seedPage(context: RequestContext): Promise<HttpResponse> {
  const { site, web } = context
  const [root] = site.app.document.files
  const isDev = web.options.mode === 'dev'
  return pageOf(context, {
    title: [site.reader.words('seedTitle')],
    wide: true,
    content: (
      <Seed
        headings={headingsOf(site)}
        document={isDev && root !== undefined ? { href: fileHref(root), file: root.path } : null}
      />
    ),
  })
}

/** `/-/document`: what is decided and what is not; with `?file=` the text itself. */
export async function documentPage(given: RequestContext): Promise<HttpResponse> {
  const context = { ...given, site: linesShown(given.site) }
  const { site, query, runtime, request } = context
  const { files } = site.app.document
  const wanted = query.get('file')
  if (wanted !== null) {
    const file = files.find(({ path }) => path === wanted)
    if (file === undefined) return notFound(context)
    const lines = file.text.split(/\r\n|\n|\r/)
    return pageOf(context, { title: [file.path], wide: true, content: <SourceText file={file.path} lines={lines} /> })
  }
  const title = `${site.app.name}: ${site.reader.words('document')}`
  return pageOf(context, {
    title: [site.reader.words('document')],
    wide: true,
    content: (
      <DocumentOverview
        title={title}
        headings={headingsOf(site)}
        gaps={site.app.gaps.map(gap => ({
          ...gapTexts(gap, site.reader.locale),
          owner: gap.owner,
          line: site.mark(gap.cell),
        }))}
        assumptions={site.app.assumptions
          .filter(({ accepted }) => accepted === null)
          .map(one => ({ text: `${one.name}: ${assumptionText(site, one)}`, line: site.mark(one.cell) }))}
        counts={(await readCensus(runtime, request, countedTo)).map(one => namedCount(site, one.entity, one))}
        pages={documentPages(site)}
        files={files.map(file => ({ file: file.path, href: fileHref(file) }))}
      />
    ),
  })
}

const fileHref = ({ path }: SourceFile): string => `/-/document?file=${encodeURIComponent(path)}`

function headingsOf(site: Site): readonly HeadingView[] {
  const { app } = site
  return nineTitles.map((title, index) => {
    const number = index + 1
    const own = app.document.sections.filter(section => section.number === number)
    const gaps = app.gaps.filter(gap => gap.section === number)
    // A section that says only "not shown" has nothing but that one gap.
    const says = own.some(
      ({ properties, tables, subjects, blocks }) =>
        properties.length + tables.length + subjects.length + blocks.length > 0,
    )
    const isProse = number === 1 && app.product.prose.length > 0 && gaps.length === 0
    const status = !says && !isProse ? 'unspecified' : gaps.length > 0 ? 'partly' : 'specified'
    const cell = own[0]?.title ?? app.title
    return { number, title, status, gaps: gaps.length, summary: summaryOf(site, number), line: site.mark(cell) }
  })
}

function summaryOf(site: Site, number: number): string | undefined {
  const { app } = site
  const size = (of: { readonly size: number } | readonly unknown[]) => ('size' in of ? of.size : of.length)
  const sentence = (key: SentenceKey & `heading.${number}`, count: number) =>
    count === 0 ? undefined : say(site, key, { count })
  switch (number) {
    case 1:
      return app.product.prose[0]?.text
    case 2:
      return sentence('heading.2', size(app.screens))
    case 3:
      return sentence('heading.3', [...app.entities.values()].filter(({ builtIn }) => !builtIn).length)
    case 4:
      return sentence('heading.4', size(app.workflows))
    case 5:
      return sentence('heading.5', size(app.rules))
    case 6:
      return sentence('heading.6', size(app.roles))
    case 7:
      return sentence('heading.7', size(app.calls) + size(app.mails))
    case 8:
      return sentence('heading.8', size(app.errors))
    default:
      return sentence('heading.9', size(app.limits))
  }
}

/** `/-/diagnostics`: what is wrong with the newest text, while the application before it goes on. */
export async function diagnosticsPage(context: RequestContext): Promise<HttpResponse> {
  const { web, site } = context
  const { found, outdated } = web.served()
  const shown = found.filter(({ severity }) => severity === 'error' || severity === 'warning')
  // Put right: there is nothing to look at any more, and who looked at it goes on.
  if (!outdated) return seeOther('/')
  return pageOf(context, {
    title: [site.reader.words('diagnosticsTitle')],
    wide: true,
    content: <Diagnostics diagnostics={shown.map(diagnosticView)} running={outdated} />,
  })
}

export function diagnosticView(diagnostic: Diagnostic): DiagnosticView {
  const { code, severity, message, help, span, related, fixes } = diagnostic
  const { line, column } = position(span.file, span.start)
  return {
    code,
    severity,
    message,
    help: help ?? null,
    file: span.file.path,
    line,
    column,
    frame: frameOf(span),
    related: related.map(one => ({ message: one.message, file: one.span.file.path, frame: frameOf(one.span) })),
    fixes: fixes.map(({ title }) => title),
    article: null,
  }
}

/** The line, with the part that is meant, and a line of context around it. */
function frameOf({ file, start, end }: Span): readonly FrameLine[] {
  const lines = file.text.split(/\r\n|\n|\r/)
  const from = position(file, start)
  const to = position(file, Math.max(start, end))
  return [from.line - 1, from.line, from.line + 1].flatMap((number): FrameLine[] => {
    const text = lines[number - 1]
    if (text === undefined) return []
    if (number !== from.line) return [{ number, text, mark: null }]
    const stop = to.line === from.line ? to.column - 1 : text.length
    return [{ number, text, mark: { start: from.column - 1, end: Math.max(stop, from.column - 1) } }]
  })
}

interface MailRow {
  readonly id: string
  readonly at: string
  readonly sender: string
  readonly recipients: readonly string[]
  readonly subject: string
  readonly body: string
}

/** So many mails are listed, newest first. */
const mailsShown = 200

export async function mailPage(context: RequestContext): Promise<HttpResponse> {
  const { site, runtime, query, request } = context
  const id = query.get('id')
  const when = (at: string) => ({
    iso: at,
    text: site.reader.format.relative(at, request.now),
    full: site.reader.format.fullMoment(at),
  })
  if (id === null) {
    const mails = await runtime.store.query<MailRow>(
      sql`select id, at, sender, recipients, subject, body from ninefold.mailbox order by at desc, id desc limit ${mailsShown}::bigint`,
    )
    return pageOf(context, {
      title: [site.reader.words('mailbox')],
      wide: true,
      content: (
        <Mailbox
          mails={mails.map(mail => ({
            id: mail.id,
            href: `/-/mailbox?id=${mail.id}`,
            to: site.reader.format.allOf(mail.recipients),
            subject: mail.subject,
            sent: when(mail.at),
          }))}
        />
      ),
    })
  }
  if (!/^[0-9a-f-]{36}$/.test(id)) return notFound(context)
  const [mail] = await runtime.store.query<MailRow>(
    sql`select id, at, sender, recipients, subject, body from ninefold.mailbox where id::text = ${id}`,
  )
  if (mail === undefined) return notFound(context)
  const links = [...new Set(mail.body.match(/https?:\/\/[^\s<>"]+/g) ?? [])]
  return pageOf(context, {
    title: [mail.subject],
    wide: true,
    crumbs: [
      { label: site.reader.words('mailbox'), href: '/-/mailbox' },
      { label: mail.subject, href: null },
    ],
    content: (
      <MailView
        mail={{
          from: mail.sender,
          to: mail.recipients,
          subject: mail.subject,
          sent: when(mail.at),
          text: mail.body,
          links,
        }}
      />
    ),
  })
}

/** One click is enough, because it is nobody's real account: only people that the seeding made are let in this way. */
export async function demoSignIn(context: RequestContext): Promise<HttpResponse> {
  const form = postedForm(context)
  const person = context.web.served().people.find(({ id }) => id === form.get('person'))
  if (person === undefined) return notFound(context)
  return enter(context, person.id, safeNext(form.get('next')), 'demo', true)
}

export function clockPage(context: RequestContext): Promise<HttpResponse> {
  const { site, web, request } = context
  if (web.options.moveClock === undefined) return notFound(context)
  const csrf = csrfInput(context)
  const { zone } = site.reader.format
  const local = localMoment(request.now.toISOString(), zone).slice(0, 16)
  return pageOf(context, {
    title: [say(site, 'clock')],
    content: (
      <>
        <PageHead title={say(site, 'clock')} facts={<span>{say(site, 'clockText')}</span>} />
        <Sheet title={site.reader.format.fullMoment(request.now.toISOString())}>
          <form method="post" action="/-/clock" className="stack">
            <input type="hidden" name="_csrf" value={csrf.value} />
            <Field id="to" label={zone}>
              {aid => <TextControl aid={aid} name="to" type="datetime-local" value={local} />}
            </Field>
            <div>
              <button type="submit" className="btn pri">
                {say(site, 'clockSet')}
              </button>
            </div>
          </form>
        </Sheet>
      </>
    ),
  })
}

export async function moveClock(context: RequestContext): Promise<HttpResponse> {
  const { web, site, runtime } = context
  const given = postedForm(context).get('to') ?? ''
  const read = parseMoment(given, site.reader.locale, site.reader.format.zone)
  if (web.options.moveClock === undefined) return notFound(context)
  // By the clocks that the page shows.
  if (!('value' in read)) return problemPage(context, { status: 422 })
  const to = new Date(String(read.value))
  await carrySessions(runtime.store, web.options.clock(), to)
  web.options.moveClock(to)
  return seeOther('/-/clock', [flashCookie(web, site.reader.format.moment(to.toISOString()))])
}

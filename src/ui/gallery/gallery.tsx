/** Every part of the interface with sample data, as whole pages: what the browser test looks at, and a developer too. */
import type { ReactNode } from 'react'
import { LinkButton } from '../buttons.tsx'
import { Diagnostics, Mailbox, MailView } from '../development.tsx'
import { DocumentOverview, Seed, SourceText } from '../document.tsx'
import { layoutOf } from '../layout.ts'
import { Problem, problemTitle } from '../problem.tsx'
import type { Reader } from '../reader.tsx'
import type { PageProps, Shell } from '../shell.tsx'
import { SignIn } from '../sign-in.tsx'
import { form } from './form.tsx'
import { kit } from './kit.tsx'
import { board, list } from './list.tsx'
import { headings, parts } from './parts.tsx'
import { conflict, record } from './record.tsx'
import { account, at, banner, hidden, me, moves, nav, states } from './samples.tsx'

type GalleryOptions = Pick<Shell, 'assets'> & {
  readonly reader: Reader
  readonly theme?: 'light' | 'dark' | null
  readonly density?: 'compact' | null
}

/** All pages by name. The diagram is laid out first, as the program does at its start. */
export async function gallery(options: GalleryOptions): Promise<ReadonlyMap<string, PageProps>> {
  const layout = await layoutOf(states, moves)
  const { reader, assets, theme = null, density = null } = options
  const shell: Shell = {
    app: { name: 'Loan desk', tagline: 'Staff', href: '/' },
    nav,
    me: account,
    find: null,
    column: 'narrow',
    theme,
    density,
    assets,
    bare: false,
  }
  const page = (title: string, content: ReactNode, more: Partial<PageProps> = {}): PageProps => ({
    reader,
    shell,
    title: [title],
    here: { href: '/loans', current: 'page' },
    counts: { unread: '312', waiting: '7' },
    me,
    banner,
    decidedBy: [at(2, 22), at(6, 140)],
    content,
    ...more,
  })
  const plain = { shell: { ...shell, nav: [], me: null }, decidedBy: [] }
  const problem = (status: number) => problemTitle(status, reader.words)
  return new Map<string, PageProps>([
    [
      'list',
      page('My loans', list, {
        flash: { text: 'LN-2026-00007 was submitted.', tone: 'good', link: { label: 'Open', href: '/loans/7' } },
      }),
    ],
    [
      'record',
      page('LN-2026-00007', record(layout), {
        crumbs: [
          { label: 'My loans', href: '/loans' },
          { label: 'LN-2026-00007', href: null },
        ],
      }),
    ],
    [
      'form',
      page('New loan', form, {
        error: true,
        crumbs: [
          { label: 'My loans', href: '/loans' },
          { label: 'New', href: null },
        ],
      }),
    ],
    ['board', page('Desk board', board)],
    ['conflict', page('Somebody changed this while you were writing', conflict)],
    ['parts', page('Parts', parts)],
    ['kit', page('Parts for blocks', kit)],
    [
      'denied',
      page(
        problem(403),
        <Problem
          status={403}
          what="You may not see loan LN-2026-00003"
          why="Only its borrower, clerks, managers and auditors may."
          code="403"
          reference="01JD3K7Q"
          line={at(6, 143)}
          actions={<LinkButton href="/loans">To the start page</LinkButton>}
        />,
      ),
    ],
    [
      'failed',
      page(
        problem(500),
        <Problem status={500} reference="01JD3K7Q" actions={<LinkButton href="/loans/7">Try again</LinkButton>} />,
      ),
    ],
    [
      'sign-in',
      page(
        'Sign in',
        <SignIn
          app="Loan desk"
          action="/sign-in"
          hidden={hidden}
          email="cleo@example.org"
          faults={[{ control: 'email', text: 'This e-mail and password do not belong together.' }]}
          password
          link={{ action: '/sign-in/link' }}
          note="Single sign-on is left open: IT, before pilot."
          demo={{
            action: '/sign-in/demo',
            about: 'A desk lends equipment.',
            tries: [{ person: '1', name: 'Dan', text: 'Dan makes a new loan.', next: '/loans/new' }],
            people: [
              { name: 'Berta Quist', roles: 'Borrower', value: 'berta' },
              { name: 'Cleo Marchetti', roles: 'Clerk, Borrower', value: 'cleo' },
            ],
          }}
        />,
        { ...plain, error: true },
      ),
    ],
    [
      'seed',
      page(
        'Nothing is decided yet',
        <Seed headings={headings} document={{ href: '/_document/text', file: 'specification.md' }} />,
      ),
    ],
    [
      'document',
      page(
        'Document',
        <DocumentOverview
          counts={['146 loans']}
          pages={[{ label: 'Diagram of entities', href: '/-/document/entities' }]}
          title="Loan desk"
          headings={headings.map((heading, index) => ({
            ...heading,
            status: index === 6 ? 'partly' : 'specified',
            summary: index === 2 ? '4 entities, 27 fields' : undefined,
          }))}
          gaps={[
            {
              what: 'Single sign-on',
              owner: 'IT',
              consequence: 'People sign in by e-mail link.',
              line: { ...at(1, 13), unspecified: true },
            },
            {
              what: 'Who an Auditor is',
              owner: null,
              consequence: 'Nobody is one.',
              line: { ...at(6, 139), unspecified: true },
            },
          ]}
          assumptions={[{ text: 'Money is shown in euro everywhere.', line: at(3, 50) }]}
          files={[{ file: 'loan-desk.md', href: '/_document/text' }]}
        />,
      ),
    ],
    [
      'source',
      page(
        'loan-desk.md',
        <SourceText
          file="loan-desk.md"
          lines={['# Loan desk', '', '| Rule | Applies to | Must hold |', '| --- | --- | --- |']}
        />,
      ),
    ],
    [
      'diagnostics',
      page(
        'The document has mistakes',
        <Diagnostics
          running
          diagnostics={[
            {
              code: 'N0201',
              severity: 'error',
              message: 'no field named `due_bak`; did you mean `due_back`?',
              help: 'Loan has the fields number, borrower, out_on, due_back.',
              file: 'loan-desk.md',
              line: 120,
              column: 17,
              frame: [
                { number: 119, text: '| --- | --- | --- | --- | --- |', mark: null },
                {
                  number: 120,
                  text: '| V-1 | Loan | `due_bak > out_on` | due_back | E-DUE-1 |',
                  mark: { start: 16, end: 23 },
                },
              ],
              related: [
                {
                  message: 'the fields are declared here',
                  file: 'loan-desk.md',
                  frame: [{ number: 66, text: '### Loan (was Booking)', mark: { start: 4, end: 8 } }],
                },
              ],
              fixes: ['due_back'],
              article: '/_codes/N0201',
            },
            {
              code: 'N0501',
              severity: 'warning',
              message: "'Parked' can be entered but never left",
              help: null,
              file: 'loan-desk.md',
              line: 99,
              column: 3,
              frame: [{ number: 99, text: '| Parked | | |', mark: { start: 2, end: 8 } }],
              related: [],
              fixes: [],
              article: null,
            },
          ]}
        />,
        { ...plain, shell: { ...plain.shell, column: 'wide' } },
      ),
    ],
    [
      'mailbox',
      page(
        'Mailbox',
        <Mailbox
          mails={[
            {
              id: '1',
              href: '/_mailbox/1',
              to: 'cleo@example.org',
              subject: 'Berta Quist asks for 2 items',
              sent: { iso: '2026-03-01T08:12:05Z', text: '1 Mar, 09:12' },
            },
          ]}
        />,
      ),
    ],
    [
      'mail',
      page(
        'Sign in to Loan desk',
        <MailView
          mail={{
            from: 'loan-desk@example.org',
            to: ['berta@example.org'],
            subject: 'Sign in to Loan desk',
            sent: { iso: '2026-03-01T08:12:05Z', text: '1 Mar 2026, 09:12' },
            text: 'Follow this link to sign in:\nhttp://localhost:3000/sign-in/link/abc\nIt works once.',
            links: ['http://localhost:3000/sign-in/link/abc'],
          }}
        />,
      ),
    ],
  ])
}

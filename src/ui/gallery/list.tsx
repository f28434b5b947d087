/** A list and a board, with sample data. */
import { Board, type BoardCard } from '../board.tsx'
import { LinkButton, Menu } from '../buttons.tsx'
import { Chips, Count, Filters, ListForm, Pager, Views } from '../list.tsx'
import { Nothing, PageHead, Tag, When } from '../page.tsx'
import { StateLabel } from '../state.tsx'
import { DataTable, type TableRow } from '../table.tsx'
import { at, hidden, ring, states } from './samples.tsx'

const loans: readonly TableRow[] = [
  loan(7, 'Requested', 'Berta Quist', '€4,200.00', '2026-03-14', true),
  loan(6, 'Approved', 'Anselm von Hohenstein-Wittelsbach', '€1,800.00', '2026-03-12'),
  loan(5, 'Out', 'Ines Costa', '€1,000,000.00', '2026-03-10'),
  loan(4, 'Overdue', 'Oskar Novak', '€2,400.00', '2026-02-28'),
  loan(3, 'Returned', 'Tess Weber', '€0.00', '2026-02-20'),
  loan(2, 'Declined', 'Liam Haddad', null, '2026-02-18'),
  loan(1, 'Draft', 'Berta Quist', '-€12.50', '2026-02-11'),
]

function loan(
  number: number,
  state: string,
  borrower: string,
  value: string | null,
  due: string,
  mine = false,
): TableRow {
  const object = `LN-2026-0000${number}`
  const shown = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(due),
  )
  return {
    id: `loan-${number}`,
    object,
    href: `/loans/${object}`,
    mine,
    cells: [
      object,
      borrower,
      <StateLabel key="state" name={state} ring={ring(state)} />,
      value,
      <span key="due">
        <When iso={due} text={shown} />{' '}
        {state === 'Overdue' && (
          <Tag tone="bad" icon="alert">
            late
          </Tag>
        )}
      </span>,
      number === 5 ? 'Trade fair in Milan, stand and two talks, with the spare projector of the second floor' : null,
    ],
    menu: [
      {
        kind: 'post',
        label: 'Approve',
        action: `/loans/${object}/approve`,
        icon: 'check',
        name: 'version',
        value: '3',
      },
      { kind: 'link', label: 'Decline…', href: `/loans/${object}?ask=decline`, icon: 'close', tone: 'bad' },
      { kind: 'rule' },
      { kind: 'link', label: 'Open', href: `/loans/${object}`, icon: 'file' },
    ],
  }
}

const sorted = (order: 'ascending' | 'descending' | null) => ({ href: '/loans?sort=x', order })

export const list = (
  <>
    <PageHead
      title="My loans"
      actions={
        <>
          <Menu
            id="export"
            label="Export"
            icon="download"
            wide
            items={[{ kind: 'link', label: 'CSV, these 146 loans', href: '/loans.csv' }]}
          />
          <LinkButton href="/loans/new" tone="primary" icon="plus">
            New loan
          </LinkButton>
        </>
      }
    />
    <Views
      views={[
        { label: 'All open', href: '/loans', count: '312', current: true },
        { label: 'Waiting for me', href: '/loans?view=mine', count: '7', current: false },
        { label: 'Due this week', href: '/loans?view=week', current: false },
      ]}
    />
    <Filters
      id="f"
      list="My loans"
      action="/loans"
      search={{ name: 'q', value: '', hint: 'Number or purpose' }}
      hidden={[]}
      active={2}
      sort={{
        name: 'sort',
        value: '-number',
        options: [
          { value: '-number', label: 'Number, newest first' },
          { value: 'due_back', label: 'Due back' },
        ],
      }}
      controls={[
        {
          kind: 'select',
          id: 'f-state',
          name: 'state',
          label: 'State',
          value: '',
          any: 'Any state',
          options: states.map(({ name }) => ({ value: name, label: name })),
          main: true,
        },
        {
          kind: 'select',
          id: 'f-due',
          name: 'due.within',
          label: 'Due',
          value: 'this-week',
          any: 'Any',
          options: [{ value: 'this-week', label: 'this week' }],
          main: true,
        },
        {
          kind: 'number',
          inputMode: 'decimal',
          id: 'f-value',
          name: 'value',
          label: 'Value at least',
          value: '',
          main: false,
        },
        { kind: 'text', id: 'f-purpose', name: 'purpose', label: 'Purpose contains', value: '', main: false },
      ]}
    />
    <Chips
      chips={[
        { label: 'Due before', value: '31 Mar 2026', remove: '/loans' },
        { label: 'Value', value: 'at least €1,000', remove: '/loans' },
      ]}
      clear="/loans"
      count={
        <>
          <Count counted={1000} more exact="/loans?count=exact" />, newest first
        </>
      }
    />
    <ListForm hidden={hidden} bulk={[{ label: 'Approve…', action: '/loans/bulk/approve', icon: 'check' }]}>
      <div className="sheet">
        <DataTable
          caption="My loans due before 31 March 2026, more than 1,000, newest first"
          selectable
          columns={[
            { key: 'number', label: 'Number', slot: 'title', priority: 1, sort: sorted('descending') },
            { key: 'borrower', label: 'Borrower', priority: 2, sort: sorted(null), bare: true },
            { key: 'state', label: 'State', slot: 'state', priority: 1, sort: sorted(null) },
            { key: 'value', label: 'Total value', slot: 'figure', numeric: true, priority: 1, sort: sorted(null) },
            { key: 'due', label: 'Due back', slot: 'note', priority: 1, sort: sorted(null) },
            { key: 'purpose', label: 'Purpose', priority: 3, sort: null },
          ]}
          rows={loans}
          foot={{ label: 'Total of all', cells: [null, null, null, '€1,010,387.50', null, null] }}
        />
        <Pager
          range="1–7 of 1,000+"
          previous={null}
          next="/loans?after=x"
          aside={<a href="/loans?density=compact">Compact</a>}
        />
      </div>
    </ListForm>
  </>
)
function card(number: number, facts: Partial<BoardCard> = {}): BoardCard {
  const title = `LN-2026-0000${number}`
  return {
    id: `card-${number}`,
    title,
    href: `/loans/${title}`,
    facts: [
      { label: 'Borrower', value: 'Berta Quist' },
      { label: 'Due back', value: <When iso="2026-03-14" text="14 Mar 2026" /> },
      { label: 'Total value', value: '€4,200.00' },
    ],
    moves: [],
    closed: [],
    hidden,
    ...facts,
  }
}

const tab = (state: string, current = false) => ({ current, href: `/desk?_group=${state}` })

export const board = (
  <>
    <PageHead title="Desk board" />
    <Board
      label="Desk board"
      columns={[
        {
          state: 'Requested',
          ring: ring('Requested'),
          count: '100+',
          cards: [
            card(7, {
              mine: true,
              moves: [
                { label: 'Approve', to: 'Approved', action: '/loans/7/approve', ask: null },
                {
                  label: 'Decline…',
                  to: 'Declined',
                  action: '/loans/7/decline',
                  ask: '/loans/7?ask=decline',
                  tone: 'bad',
                },
              ],
              closed: [{ label: 'Hand out', reason: 'only once Approved.', line: at(4, 106) }],
            }),
            card(6, { closed: [{ label: 'Approve', reason: 'it is your own loan.', line: at(4, 104) }] }),
          ],
          more: 'The first 2 of 100',
          ...tab('Requested', true),
        },
        { state: 'Approved', ring: ring('Approved'), count: '0', cards: [], more: null, ...tab('Approved') },
        {
          state: 'Out',
          label: 'With the purchasing department’s Genehmigungsverfahrensbeauftragten',
          ring: ring('Out'),
          count: '1',
          cards: [card(5, { facts: [{ label: 'Borrower', value: <Nothing /> }] })],
          more: null,
          ...tab('Out'),
        },
        {
          ...tab('Overdue'),
          state: 'Overdue',
          ring: ring('Overdue'),
          count: '1',
          cards: [
            card(4, {
              tags: (
                <Tag tone="bad" icon="alert">
                  late
                </Tag>
              ),
            }),
          ],
          more: null,
        },
      ]}
    />
  </>
)

/** One record, and the conflict when two save it. */
import { LinkButton, Menu } from '../buttons.tsx'
import { Conflict } from '../conflict.tsx'
import { AreaControl } from '../controls.tsx'
import { Field } from '../form.tsx'
import { History } from '../history.tsx'
import type { DiagramLayout } from '../layout.ts'
import { PageHead, Sheet, Tag, When } from '../page.tsx'
import { PlainTable } from '../plain-table.tsx'
import { Assumed } from '../provenance.tsx'
import { type ClosedStep, Decide, DescriptionList, Progress, RecordGrid, type Step } from '../record.tsx'
import { StateLabel } from '../state.tsx'
import { at, hidden, ring, rings } from './samples.tsx'

const steps: readonly Step[] = [
  {
    label: 'Approve',
    object: 'LN-2026-00007',
    action: '/loans/LN-2026-00007/approve',
    hidden,
    ring: ring('Approved'),
    note: 'Items are set aside.',
    line: at(4, 104),
  },
  {
    label: 'Decline',
    object: 'LN-2026-00007',
    action: '/loans/LN-2026-00007/decline',
    hidden,
    ring: ring('Declined'),
    tone: 'bad',
    note: 'Final. The borrower is told by e-mail.',
    line: at(4, 105),
    ask: {
      title: 'Decline LN-2026-00007?',
      consequence: 'This is final. Berta Quist is told by e-mail.',
      confirm: 'Decline the loan',
      fields: (
        <Field id="reason" label="Reason">
          {aid => <AreaControl aid={aid} name="reason" value="" />}
        </Field>
      ),
    },
  },
]
const closed: readonly ClosedStep[] = [
  { label: 'Hand out', reason: 'Not yet: only once Approved.', line: at(4, 106) },
  { label: 'Take back', reason: 'Not yet: only while Out or Overdue, and by a Clerk.', line: at(4, 108) },
]

export const record = (layout: DiagramLayout) => (
  <>
    <PageHead
      title="LN-2026-00007"
      facts={
        <>
          <StateLabel name="Requested" ring={ring('Requested')} pill />
          <span>
            by <b>Berta Quist</b>
          </span>
          <span>
            <b>€4,200.00</b>
          </span>
          <span>
            due back <b>14 Mar 2026</b>{' '}
            <Tag tone="wait" icon="clock">
              in 3 days
            </Tag>
          </span>
        </>
      }
      actions={
        <>
          <LinkButton href="/loans/LN-2026-00007/edit" icon="pencil" object="LN-2026-00007">
            Change
          </LinkButton>
          <Menu
            id="more"
            label="More actions"
            icon="dots"
            hidden={hidden}
            items={[
              { kind: 'post', label: 'Delete', action: '/loans/LN-2026-00007/delete', icon: 'trash', tone: 'bad' },
            ]}
          />
        </>
      }
    />
    <RecordGrid
      decide={<Decide title="Your decision is needed" note="Since today, 07:40." steps={steps} />}
      main={
        <>
          <Progress
            diagram={{ layout, rings, current: 'Requested', possible: ['Approved', 'Declined'], passed: ['Draft'] }}
            open={steps}
            closed={closed}
            line={at(4, 90)}
          />
          <Sheet title="Details">
            <DescriptionList
              facts={[
                { label: 'Borrower', value: <a href="/people/berta">Berta Quist</a> },
                { label: 'Out on', value: <When iso="2026-03-02" text="2 Mar 2026" /> },
                { label: 'Due back', value: <When iso="2026-03-14" text="14 Mar 2026" /> },
                { label: 'Days', value: '12', line: at(3, 74) },
                { label: 'Approved by', value: null },
                { label: 'Handed out at', value: '' },
                {
                  label: 'Purpose',
                  value: 'Recording the spring concert.\nTwo cameras, so that one can stay on the stage.',
                  long: true,
                },
              ]}
            />
          </Sheet>
          <Sheet title="Lines" aside={<span className="muted">2</span>} flush>
            <PlainTable
              label="Lines, table"
              columns={[
                { key: 'item', label: 'Item' },
                { key: 'damaged', label: 'Damaged' },
                { key: 'value', label: 'Value', numeric: true },
              ]}
              rows={[
                { id: '1', cells: ['CA-0001 Sony A7', 'No', '€2,400.00'] },
                { id: '2', cells: ['LA-0007 ThinkPad X1', 'No', '€1,800.00'] },
              ]}
              foot={['Total value', null, '€4,200.00']}
            />
          </Sheet>
          <section aria-labelledby="h-act">
            <div className="phead">
              <h2 id="h-act">Activity</h2>
            </div>
            <History
              items={[
                {
                  id: '4',
                  icon: 'mail',
                  tone: 'good',
                  who: null,
                  what: 'Mail “Berta Quist asks for 2 items” was sent to the clerks',
                  when: {
                    iso: '2026-03-01T08:12:05Z',
                    text: '1 Mar, 09:12',
                    full: 'Sunday, 1 March 2026 at 09:12:05 CET',
                  },
                  changes: [],
                  line: at(7, 176),
                },
                {
                  id: '3',
                  icon: 'arrow',
                  who: 'Berta Quist',
                  what: 'submitted the loan',
                  when: { iso: '2026-03-01T08:12:04Z', text: '1 Mar, 09:12' },
                  changes: [],
                  line: at(4, 103),
                },
                {
                  id: '2',
                  icon: 'pencil',
                  who: 'Berta Quist',
                  what: 'changed 2 fields',
                  when: { iso: '2026-03-01T08:10:00Z', text: '1 Mar, 09:10' },
                  changes: [
                    { field: 'Due back', before: '10 Mar 2026', after: '14 Mar 2026' },
                    { field: 'Purpose', before: null, after: 'Recording the spring concert.' },
                  ],
                },
                {
                  id: '1',
                  icon: 'alert',
                  tone: 'bad',
                  who: null,
                  what: 'The asset register did not answer',
                  when: { iso: '2026-03-01T08:00:00Z', text: '1 Mar, 09:00' },
                  changes: [],
                  note: 'It is tried again at 09:20.',
                },
              ]}
            />
          </section>
        </>
      }
      side={
        <>
          <Sheet title="Limits">
            <ul className="rows">
              <li>
                Longest loan <span className="end">14 days</span>
              </li>
              <li>
                Highest value <span className="end">€5,000.00</span>
              </li>
            </ul>
          </Sheet>
          <Assumed line={{ ...at(9, 201), unspecified: true }}>
            Nothing says how much damage a clerk may settle, so nobody but a manager may take damaged items back.
          </Assumed>
        </>
      }
    />
  </>
)
export const conflict = (
  <>
    <PageHead title="Somebody changed this while you were writing" />
    <Conflict
      app="Loan desk"
      who="Samir Petrova"
      when="at 14:02"
      moved={null}
      action="/loans/LN-2026-00007/edit"
      hidden={hidden}
      again={null}
      discard="/loans/LN-2026-00007"
      fields={[
        {
          name: 'choice.due_back',
          label: 'Due back',
          yours: '14 Mar 2026',
          theirs: '12 Mar 2026',
          choice: 'yours',
          both: true,
        },
        {
          name: 'choice.purpose',
          label: 'Purpose',
          yours: 'Recording the spring concert, both evenings.',
          theirs: null,
          choice: 'yours',
          both: false,
        },
      ]}
    />
  </>
)

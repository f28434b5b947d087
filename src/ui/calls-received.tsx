/** Pages that only `dev` has: calls that had nowhere else to go, what they are answered, and how others would send a message. */
import { type Hidden, HiddenInputs, Submit } from './buttons.tsx'
import { AreaControl, type Option, SelectControl } from './controls.tsx'
import { Field } from './form.tsx'
import { PageHead, Sheet, When, type WhenProps } from './page.tsx'
import { PlainTable } from './plain-table.tsx'
import { EmptyState } from './problem.tsx'
import { useReader } from './reader.tsx'
import { DataTable } from './table.tsx'

interface CallSummary {
  readonly id: string
  readonly href: string
  /** Key and name. */
  readonly call: string
  /** `POST {ASSETS_URL}/returns`. */
  readonly request: string
  /** `200`, or that nothing was. */
  readonly answered: string
  readonly received: WhenProps
}

interface CallsReceivedProps {
  readonly calls: readonly CallSummary[]
  readonly answers: readonly {
    readonly key: string
    readonly call: string
    readonly href: string
    readonly answer: string
  }[]
  /** Messages of others: the command that sends one. */
  readonly messages: readonly { readonly key: string; readonly command: string }[]
}

export function CallsReceived({ calls, answers, messages }: CallsReceivedProps) {
  const { words } = useReader()
  return (
    <>
      <PageHead title={words('received')} facts={<span>{words('receivedHint')}</span>} />
      <div className="stack">
        <div className="sheet">
          {calls.length === 0 ? (
            <EmptyState title={words('receivedEmpty')} text={words('receivedEmptyHint')} />
          ) : (
            <DataTable
              caption={words('receivedCount', { count: calls.length })}
              columns={[
                { key: 'call', label: words('receivedCall'), slot: 'title', priority: 1, sort: null },
                { key: 'request', label: words('receivedRequest'), priority: 2, sort: null, bare: true },
                { key: 'answered', label: words('receivedAnswer'), priority: 2, sort: null },
                { key: 'received', label: words('receivedAt'), slot: 'note', priority: 1, sort: null },
              ]}
              rows={calls.map(({ id, href, call, request, answered, received }) => ({
                id,
                object: call,
                href,
                cells: [call, request, answered, <When key="received" {...received} />],
              }))}
            />
          )}
        </div>
        {answers.length > 0 && (
          <Sheet title={words('receivedAnswers')} flush>
            <PlainTable
              label={words('receivedAnswer')}
              columns={[
                { key: 'call', label: words('receivedCall') },
                { key: 'answer', label: words('receivedAnswer') },
              ]}
              rows={answers.map(({ key, call, href, answer }) => ({
                id: key,
                cells: [
                  <a key="call" href={href}>
                    {call}
                  </a>,
                  answer,
                ],
              }))}
            />
          </Sheet>
        )}
        {messages.map(({ key, command }) => (
          <Sheet key={key} title={words('receivedMessage', { name: key })}>
            <Code text={command} />
          </Sheet>
        ))}
      </div>
    </>
  )
}

const Code = ({ text }: { readonly text: string }) => (
  <div className="rich">
    <pre>{text}</pre>
  </div>
)

interface ReceivedProps {
  readonly call: string
  readonly request: string
  readonly answered: string
  readonly received: WhenProps
  readonly headers: string
  readonly body: string
}

export function CallReceived({ call, request, answered, received, headers, body }: ReceivedProps) {
  const { words } = useReader()
  return (
    <>
      <PageHead title={call} />
      <div className="stack">
        <Sheet title={request}>
          <dl className="dl">
            <div>
              <dt>{words('receivedAnswer')}</dt>
              <dd>{answered}</dd>
            </div>
            <div>
              <dt>{words('receivedAt')}</dt>
              <dd>
                <When {...received} />
              </dd>
            </div>
          </dl>
        </Sheet>
        <Sheet title={words('receivedHeaders')}>
          <Code text={headers} />
        </Sheet>
        {body !== '' && (
          <Sheet title={words('receivedBody')}>
            <Code text={body} />
          </Sheet>
        )}
      </div>
    </>
  )
}

interface AnswerFormProps {
  readonly call: string
  readonly action: string
  readonly hidden: readonly Hidden[]
  readonly statuses: readonly Option[]
  readonly status: string
  readonly body: string
}

/** What a call is answered from now on. */
export function AnswerForm({ call, action, hidden, statuses, status, body }: AnswerFormProps) {
  const { words } = useReader()
  return (
    <>
      <PageHead title={call} facts={<span>{words('receivedAnswerHint')}</span>} />
      <Sheet title={words('receivedAnswers')}>
        <form method="post" action={action} className="stack">
          <HiddenInputs inputs={hidden} />
          <Field id="status" label={words('receivedAnswer')} width="medium">
            {aid => <SelectControl aid={aid} name="status" value={status} options={statuses} empty={null} />}
          </Field>
          <Field id="body" label={words('receivedBody')} optional>
            {aid => <AreaControl aid={aid} name="body" value={body} />}
          </Field>
          <div>
            <Submit tone="primary">{words('receivedChoose')}</Submit>
          </div>
        </form>
      </Sheet>
    </>
  )
}

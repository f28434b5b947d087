/** What a record waits for: each approval with who has agreed, why, and who is still needed. */
import { Sheet, Tag, When } from '../../../ui/page.tsx'
import { DescriptionList } from '../../../ui/record.tsx'
import type { ApprovalView } from '../record-view.ts'

export function Approvals({
  title,
  approvals,
}: {
  readonly title: string
  readonly approvals: readonly ApprovalView[]
}) {
  return (
    <Sheet title={title}>
      <DescriptionList
        facts={approvals.map(approval => ({
          label: approval.label,
          value: <Approval approval={approval} />,
          long: true,
          line: approval.mark,
        }))}
      />
    </Sheet>
  )
}

function Approval({ approval }: { readonly approval: ApprovalView }) {
  const { needs, decisions, missing, given } = approval
  return (
    <>
      <p>
        {needs} <Tag tone={given ? 'good' : 'wait'}>{missing}</Tag>
      </p>
      {decisions.length > 0 && (
        <ul className="decisions">
          {decisions.map(({ text, at, when, reason }) => (
            <li key={text}>
              {text} <When iso={at} text={when} />
              {reason !== null && <blockquote>{reason}</blockquote>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

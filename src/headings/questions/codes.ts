/** What `check --ways` asks: nothing is wrong, but something may have been overlooked. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const questionCodes = {
  N0401: {
    severity: 'hint',
    message: '{entity}: {who} may change {fields} in {state}, and nobody is asked again about `{step}`',
    help: 'For example: {example}. Lock {fields} in {state} under heading 4, or let Change under heading 6 hold only before.',
  },
  N0402: {
    severity: 'hint',
    message: '{entity}: `{other}` leads to {to} without what `{step}` waits for ({approvals})',
    help: 'For example: {example}. Let `{other}` wait for the same, say in its When which records it is for, or take {from} out of its From.',
  },
  N0403: {
    severity: 'hint',
    message: '{entity}: whoever makes one may decide about it themselves: nobody is left out of {approval}',
    help: 'For example: {example}. Write `{maker}` under Except; `none` there says that it is meant so.',
  },
  N0404: {
    severity: 'hint',
    message: '{entity}: {who} may change `{field}`, and so get round what `{ban}` keeps from them in `{step}`',
    help: 'For example: {example}. Write `read-only after create` to the field, or let somebody else change it.',
  },
  N0405: {
    severity: 'hint',
    message:
      '{entity}: `{step}` leads back to {state}, and `{field}` keeps what `{by}` has set, which {reader} reads there',
    help: 'For example: {example}. Write `set {field} = empty` under Then of `{step}`.',
  },
  N0406: {
    severity: 'hint',
    message:
      '{entity}: `{step}` leads to {to}, and says nothing of {parts}, of which some may be further on than others',
    help: 'For example: {example}. Ask for them in its When, or say under Then what becomes of them.',
  },
  N0407: {
    severity: 'hint',
    message: '{entity}: `{step}` waits for {approval}, and nobody is asked where {path} is empty',
    help: 'For example: {example}. Make the field required, ask somebody else there (a second row with its When), or write `{path} is not empty` as its When.',
  },
} as const satisfies CodeTable

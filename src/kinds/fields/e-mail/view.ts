import { withReadableDomain } from '../domain.ts'
import type { FieldView } from '../field-view.ts'

export const eMailView: FieldView = {
  name: 'e-mail',
  show: wire => ({ text: withReadableDomain(wire), look: 'text' }),
  control: ({ own }) => ({
    kind: 'input',
    type: 'email',
    inputMode: 'email',
    size: 'medium',
    autoComplete: own ? 'email' : 'off',
  }),
}

import { withReadableDomain } from '../domain.ts'
import type { FieldView } from '../field-view.ts'

export const linkView: FieldView = {
  name: 'link',
  show: wire => ({ text: withReadableDomain(wire), look: 'text' }),
  control: () => ({ kind: 'input', type: 'url', inputMode: 'url' }),
}

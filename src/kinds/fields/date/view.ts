import type { FieldView } from '../field-view.ts'

export const dateView: FieldView = {
  name: 'date',
  control: () => ({ kind: 'input', type: 'date', size: 'short' }),
}

import type { FieldView } from '../field-view.ts'

export const timeView: FieldView = {
  name: 'time',
  control: () => ({ kind: 'input', type: 'time', size: 'short' }),
}

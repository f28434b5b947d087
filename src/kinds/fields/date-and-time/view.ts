import type { FieldView } from '../field-view.ts'

export const dateAndTimeView: FieldView = {
  name: 'date and time',
  control: () => ({ kind: 'input', type: 'datetime-local', size: 'medium' }),
}

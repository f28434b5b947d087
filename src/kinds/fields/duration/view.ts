import type { FieldView } from '../field-view.ts'

export const durationView: FieldView = {
  name: 'duration',
  control: () => ({ kind: 'input', size: 'short' }),
}

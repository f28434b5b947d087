import type { FieldView } from '../field-view.ts'

export const phoneView: FieldView = {
  name: 'phone',
  control: ({ own }) => ({
    kind: 'input',
    type: 'tel',
    inputMode: 'tel',
    size: 'medium',
    autoComplete: own ? 'tel' : 'off',
  }),
}

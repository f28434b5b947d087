import type { FieldView } from '../field-view.ts'

export const secretView: FieldView = {
  name: 'secret',
  control: () => ({ kind: 'input', type: 'password', autoComplete: 'new-password', size: 'medium' }),
}

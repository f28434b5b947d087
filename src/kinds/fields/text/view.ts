import type { FieldView } from '../field-view.ts'

export const textView: FieldView = {
  name: 'text',
  control: ({ parameters: { length } }) => ({
    kind: 'input',
    maxLength: length ?? null,
    size: (length ?? 80) <= 20 ? 'short' : (length ?? 80) <= 50 ? 'medium' : 'full',
  }),
}

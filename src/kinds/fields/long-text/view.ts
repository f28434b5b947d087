import type { FieldView } from '../field-view.ts'

export const longTextView: FieldView = {
  name: 'long text',
  show: wire => ({ text: wire, look: 'long' }),
  control: ({ parameters: { length } }) => ({
    kind: 'textarea',
    rows: (length ?? 1000) <= 500 ? 4 : 8,
    maxLength: length ?? null,
  }),
}

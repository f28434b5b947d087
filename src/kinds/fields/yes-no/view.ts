import type { FieldView } from '../field-view.ts'

export const yesNoView: FieldView = {
  name: 'yes/no',
  // Where it is never empty, a box says it all; else "not answered" is an answer of its own.
  control: ({ mayBeEmpty, yesNo }) =>
    mayBeEmpty
      ? { kind: 'select', options: (['yes', 'no'] as const).map(value => ({ value, label: yesNo(value) })) }
      : { kind: 'checkbox' },
}

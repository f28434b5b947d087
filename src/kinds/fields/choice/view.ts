import { type FieldView, namedOptions } from '../field-view.ts'

export const choiceView: FieldView = {
  name: 'choice',
  control: asked => ({ kind: 'select', options: namedOptions(asked) }),
}

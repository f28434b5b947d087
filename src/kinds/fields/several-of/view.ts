import { type FieldView, namedOptions } from '../field-view.ts'

export const severalOfView: FieldView = {
  name: 'several of',
  control: asked => ({ kind: 'several', options: namedOptions(asked) }),
}

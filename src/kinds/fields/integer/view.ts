import { type FieldView, inFigures } from '../field-view.ts'

export const integerView: FieldView = {
  name: 'integer',
  control: asked => inFigures(asked, 'numeric'),
}

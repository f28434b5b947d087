import { type FieldView, inFigures } from '../field-view.ts'

export const decimalView: FieldView = {
  name: 'decimal',
  control: asked => inFigures(asked, 'decimal'),
}

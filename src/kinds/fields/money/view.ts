import { type FieldView, inFigures } from '../field-view.ts'

export const moneyView: FieldView = {
  name: 'money',
  control: asked => inFigures(asked, 'decimal', asked.parameters.currency),
}

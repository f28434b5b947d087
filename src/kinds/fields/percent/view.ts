import { type FieldView, inFigures } from '../field-view.ts'

export const percentView: FieldView = {
  name: 'percent',
  control: asked => inFigures(asked, 'decimal', '%'),
}

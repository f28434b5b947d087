import { type FieldView, inFigures } from '../field-view.ts'

/** Its currency is chosen beside it, or stands above. */
export const moneyInView: FieldView = {
  name: 'money in',
  control: asked => inFigures(asked, 'decimal'),
}

import type { FieldView } from '../field-view.ts'
import { heldFile } from '../file/held.ts'
import { isShownInPlace } from '../file/types.ts'

export const imageView: FieldView = {
  name: 'image',
  show(wire) {
    const held = heldFile(wire)
    return { text: held?.name ?? wire, look: held !== null && isShownInPlace(held.type) ? 'image' : 'file' }
  },
}

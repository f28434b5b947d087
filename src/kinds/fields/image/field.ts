import { noArgument } from '../arguments.ts'
import type { FieldKind } from '../field-kind.ts'
import { file } from '../file/field.ts'

/** A picture; stored as a file, shown as an image. */
export const image: FieldKind = {
  ...file,
  name: 'image',
  written: 'image',
  meaning: 'A picture that is kept and shown with the record.',
  read: argument => noArgument('image', argument),
  examples: [{ type: 'image', good: [], bad: ['photo.jpg'] }],
}

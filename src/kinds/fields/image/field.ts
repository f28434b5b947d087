import { noArgument } from '../arguments.ts'
import type { FieldKind } from '../field-kind.ts'
import { file } from '../file/field.ts'
import { imageTypes } from '../file/types.ts'

/** A picture; stored as a file, shown as an image. */
export const image: FieldKind = {
  ...file,
  name: 'image',
  written: 'image',
  meaning: `A picture that is kept and shown with the record: ${imageTypes.join(', ')}, or what the rule \`types\` says.`,
  read: argument => noArgument('image', argument, '; kinds and sizes are rules, like `types JPEG, PNG; at most 5 MB`'),
  files: imageTypes,
  examples: file.examples.map(example => ({ ...example, type: 'image' })),
}

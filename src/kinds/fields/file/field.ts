import { noArgument } from '../arguments.ts'
import type { FieldKind } from '../field-kind.ts'
import { misfit } from '../misfits.ts'

/** A file, held by the id under which it is stored. */
export const file: FieldKind = {
  name: 'file',
  written: 'file',
  meaning: 'A file that is kept with the record.',
  read: argument => noArgument('file', argument),
  type: () => ({ kind: 'file' }),
  column: () => 'uuid',
  check: () => null,
  parse: () => misfit('NF-FILE', {}),
  fromJson: () => misfit('NF-FILE', {}),
  toJson: wire => wire,
  schema: () => ({ type: 'string', format: 'uuid', readOnly: true }),
  input: () => '',
  filters: ['is empty'],
  sortable: false,
  entered: false,
  planned: 'until then, a `link` to the place where the file lies does',
  examples: [{ type: 'file', good: [], bad: ['contract.pdf'] }],
}

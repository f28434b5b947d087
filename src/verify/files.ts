/** Files for what is tried: as small as their kind allows. Examples and scenarios name them (`broken.jpg`), required fields just need one. */
import { heldEnding } from '../kinds/fields/file/types.ts'

const contents: Readonly<Record<string, Buffer>> = {
  JPEG: Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  PNG: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
    'base64',
  ),
  GIF: Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'),
  WebP: Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
  PDF: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
  text: Buffer.from('Some text.\n'),
}

export interface SampleFile {
  readonly name: string
  readonly content: Buffer
}

/** Null: no file of such a name can be made. */
export function fileNamed(name: string): SampleFile | null {
  const content = contents[heldEnding(name) ?? '']
  return content === undefined ? null : { name, content }
}

/** A file that a field with these rules refuses: of another kind, and one byte too large. */
export function refusedFiles(types: readonly string[] | null, most: number | null): readonly SampleFile[] {
  const other = types === null ? undefined : Object.keys(contents).find(kind => !types.includes(kind))
  const own = fileOf(types)
  return [
    ...(other === undefined ? [] : [{ name: `sample ${other}`, content: contents[other]! }]),
    ...(most === null || most > largest || own === null
      ? []
      : [{ name: own.name, content: Buffer.concat([own.content, Buffer.alloc(most + 1 - own.content.length)]) }]),
  ]
}

/** Nothing larger is sent. */
const largest = 10_000_000

/** A file of one of these kinds; `types` null: of any. Null: none can be made. */
export function fileOf(types: readonly string[] | null): SampleFile | null {
  const [kind] = (types ?? ['text']).filter(name => name in contents)
  return kind === undefined ? null : { name: `sample ${kind}`, content: contents[kind]! }
}

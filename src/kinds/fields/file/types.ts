/** Kinds of files that can be told apart by their first bytes, as the rule `types` names them, and sizes as `at most` writes them. */

/** The first media type of a name is what browsers are told. */
export const fileTypes: Readonly<Record<string, readonly string[]>> = {
  JPEG: ['image/jpeg'],
  PNG: ['image/png', 'image/apng'],
  WebP: ['image/webp'],
  GIF: ['image/gif'],
  AVIF: ['image/avif'],
  HEIC: ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
  TIFF: ['image/tiff'],
  PDF: ['application/pdf'],
  Word: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  Excel: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  PowerPoint: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ODT: ['application/vnd.oasis.opendocument.text'],
  ODS: ['application/vnd.oasis.opendocument.spreadsheet'],
  ODP: ['application/vnd.oasis.opendocument.presentation'],
  ZIP: ['application/zip'],
  text: ['text/plain'],
  MP3: ['audio/mpeg'],
  WAV: ['audio/wav'],
  MP4: ['video/mp4'],
  WebM: ['video/webm'],
}

/** What an `image` takes where no rule says: pictures that every browser shows. */
export const imageTypes: readonly string[] = ['JPEG', 'PNG', 'WebP', 'GIF']

/** Pictures that are shown in place; everything else is only ever downloaded. */
const shownInPlace: ReadonlySet<string> = new Set([...imageTypes, 'AVIF'].flatMap(name => fileTypes[name]!))

export const isShownInPlace = (media: string): boolean => shownInPlace.has(media)

/** Shown in a frame of its own, by the browser's own reader. */
export const isFramed = (media: string): boolean => media === 'application/pdf'

/** A file of unknown content. */
export const unknownType = 'application/octet-stream'

/** `JPEG` for `image/jpeg`; the media type itself where it has no name here. */
export const typeName = (media: string): string =>
  Object.entries(fileTypes).find(([, all]) => all.includes(media))?.[0] ?? media

/** The media types that these names stand for. */
export const mediaOf = (names: readonly string[]): readonly string[] => names.flatMap(name => fileTypes[name] ?? [])

const endings: Readonly<Record<string, string>> = {
  jpg: 'JPEG',
  jpeg: 'JPEG',
  png: 'PNG',
  gif: 'GIF',
  webp: 'WebP',
  pdf: 'PDF',
  txt: 'text',
  csv: 'text',
}

/** The kind that a file's name in an example or a scenario promises; null: none that could be made for trying. */
export const heldEnding = (name: string): string | null =>
  endings[/^[^/\\]+\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? null

/** All of them, for messages: `.jpg`. */
export const knownEndings: readonly string[] = Object.keys(endings).map(ending => `.${ending}`)

/** As file managers count the larger of the two: a limit of 5 MB takes what either of them shows as 5 MB. */
const units: Readonly<Record<string, number>> = { kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 }

/** `5 MB`, `500 kB`, `1.5 GB` → bytes; null for what is no such size. */
export function readSize(text: string): number | null {
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,3})?)\s*(kB|MB|GB)$/i.exec(text.trim()) ?? []
  const bytes = digits === undefined ? 0 : Math.floor(Number(digits) * units[unit!.toLowerCase()]!)
  return bytes >= 1 ? bytes : null
}

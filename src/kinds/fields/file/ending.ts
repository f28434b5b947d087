/** What a file is called ends as its content says: whoever opens it by its ending opens what it is. */
import { typeName, unknownType } from './types.ts'

/** Of kinds with a mark of their own. The first is the one that is added. */
const marked: Readonly<Record<string, readonly string[]>> = {
  JPEG: ['jpg', 'jpeg', 'jpe', 'jfif'],
  PNG: ['png', 'apng'],
  WebP: ['webp'],
  GIF: ['gif'],
  AVIF: ['avif'],
  HEIC: ['heic', 'heif'],
  TIFF: ['tif', 'tiff'],
  PDF: ['pdf'],
  Word: ['docx'],
  Excel: ['xlsx'],
  PowerPoint: ['pptx'],
  ODT: ['odt'],
  ODS: ['ods'],
  ODP: ['odp'],
  MP3: ['mp3'],
  WAV: ['wav'],
  MP4: ['mp4', 'm4v', 'm4a'],
  WebM: ['webm'],
}
const isMarked = new Set(Object.values(marked).flat())

/** Many kinds of files are text, or archives: their endings say more than the content does, but for those that text is run by. */
const wide: Readonly<Record<string, string>> = { text: 'txt', ZIP: 'zip', [unknownType]: 'bin' }
const run = new Set(
  'html htm xhtml mht mhtml svg svgz js mjs cjs jse vbs vbe wsf wsh hta bat cmd ps1 sh bash command py pl rb php reg url inf scf desktop'.split(
    ' ',
  ),
)

/** The name as it is where it fits; else with the ending of what the file is behind it: `photo.jpg.pdf`. */
export function fittingName(name: string, media: string): string {
  const kind = typeName(media)
  const ending = /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const own = marked[kind]
  if (own !== undefined) return own.includes(ending) ? name : `${name}.${own[0]}`
  const added = wide[kind]
  if (added === undefined) return name
  return isMarked.has(ending) || (kind === 'text' && run.has(ending)) ? `${name}.${added}` : name
}

/** What the typesetter uses of libraries that bring no types. */
declare module 'fontkit' {
  export interface Font {
    readonly unitsPerEm: number
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string): { readonly advanceWidth: number }
  }
  export function create(bytes: Uint8Array): Font
}

declare module 'bidi-js' {
  interface Bidi {
    /** The level of each unit of the text: even ones run to the right, odd ones to the left. */
    getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl'): { readonly levels: Uint8Array }
    getMirroredCharacter(character: string): string | null
  }
  export default function bidiFactory(): Bidi
}

declare module 'linebreak' {
  /** Where lines may end (UAX 14). */
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { readonly position: number; readonly required: boolean } | null
  }
}

declare module 'pdfkit' {
  import type { Readable } from 'node:stream'
  import type { Font } from 'fontkit'

  /** A part of what stands on a page, as its structure names it. */
  export interface StructureContent {
    readonly refs: readonly unknown[]
  }

  export interface StructureElement {
    add(child: StructureElement | StructureContent): this
    end(): void
  }

  interface Options {
    readonly size: 'A4'
    readonly layout: 'portrait' | 'landscape'
    readonly margin: number
    readonly font: string | null
    readonly bufferPages: true
    readonly autoFirstPage: false
    readonly pdfVersion: '1.7'
    readonly subset: 'PDF/UA'
    readonly tagged: true
    readonly displayTitle: true
    readonly lang: string
    readonly info: Readonly<Record<string, string | Date>>
  }

  export default class PDFDocument extends Readable {
    constructor(options: Options)
    readonly page: { readonly width: number; readonly height: number }
    addPage(): this
    switchToPage(page: number): void
    bufferedPageRange(): { readonly count: number }
    /** `name`: by which it is known from then on. */
    font(font: Font, name: string, size: number): this
    text(
      text: string,
      x: number,
      y: number,
      options: { readonly lineBreak: false; readonly baseline: 'alphabetic'; readonly oblique?: boolean },
    ): this
    fillColor(colour: string): this
    strokeColor(colour: string): this
    lineWidth(width: number): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    rect(x: number, y: number, width: number, height: number): this
    fill(): this
    stroke(): this
    image(
      image: Buffer,
      x: number,
      y: number,
      options: { readonly fit: readonly [number, number]; readonly align?: 'right' },
    ): this
    struct(type: string, options?: { readonly scope?: 'Column' | 'Row'; readonly alt?: string }): StructureElement
    addStructure(element: StructureElement): this
    markContent(tag: 'Artifact', options: { readonly type: 'Pagination' | 'Layout' }): this
    markStructureContent(tag: string): StructureContent
    endMarkedContent(): this
    end(): void
  }
}

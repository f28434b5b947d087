/** The person a page is made for: language, zone, and whether the lines of the document are shown. Every part asks it, none is told twice. */

import { createContext, type ReactNode, useContext } from 'react'
import { directionOf } from '../expression/catalogue.ts'
import { type Formats, formatsFor } from './format.ts'
import { type Words, wordsFor } from './words.ts'

/** A line of the document that decides something. */
export interface Line {
  /** The heading, 1 to 9. */
  readonly section: number
  /** 1-based. */
  readonly line: number
  /** As the user names it: `parts/loans.md`. */
  readonly file: string
  /** Nothing is decided there: the line where it should be. */
  readonly unspecified?: boolean
}

export interface Reader {
  /** BCP 47: goes to `<html lang>`. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly words: Words
  readonly format: Formats
  /** Whether § line marks stand beside what they decide. */
  readonly provenance: boolean
  /** Address of the page that shows a line of the document; null where there is none. */
  readonly lineHref: ((line: Line) => string) | null
  /** What this reader was made of, so that an island makes the same one. */
  readonly options: ReaderOptions
}

export interface ReaderOptions {
  /** Locale or language name: `en-GB`, see `localeOf`. */
  readonly locale: string
  /** IANA time zone that moments are shown in: the reader's own choice, else the application's. */
  readonly zone: string
  readonly provenance?: boolean
  /** Address of the page that shows the document, where there is one: `/-/document`. */
  readonly document?: string | null
}

export function readerOf(options: ReaderOptions): Reader {
  const { locale, zone, provenance = false, document = null } = options
  return {
    locale,
    direction: directionOf(locale),
    words: wordsFor(locale),
    format: formatsFor(locale, zone),
    provenance,
    lineHref: document === null ? null : ({ file, line }) => `${document}?file=${encodeURIComponent(file)}#L${line}`,
    options,
  }
}

const Context = createContext<Reader | null>(null)

/** `Page` wraps everything in it; an island wraps itself. */
export function ReaderProvider({ reader, children }: { readonly reader: Reader; readonly children: ReactNode }) {
  return <Context value={reader}>{children}</Context>
}

let standard: Reader | undefined

/** Outside of any page an English one: where nobody asks, its words do not travel to browsers. */
export const useReader = (): Reader => {
  standard ??= readerOf({ locale: 'en-GB', zone: 'UTC' })
  return useContext(Context) ?? standard
}

/** `classes('btn', primary && 'pri')`; undefined when nothing is left, so that no empty attribute is written. */
export function classes(...names: readonly (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined
}

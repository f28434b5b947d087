/** Heading 1: what the product does and for whom. */
import type { Cell } from '../../document/source.ts'
import type { Catalogue } from '../../expression/catalogue.ts'
import type { Specified } from '../specified.ts'
import type { Accents } from './palette.ts'

/** A row of the table under `### German`. */
export interface Translation {
  /** As it stands elsewhere in the document. */
  readonly text: Cell
  readonly words: Cell
}

export interface Tenant {
  readonly cell: Cell
  /** Key of the entity whose records are the tenants. */
  readonly entity: string
  /** Key of the field by which every record of a tenant, and every person, names it. */
  readonly field: string
}

/** `- **Logo:** [logo](brand/logo.svg)`. */
export interface Logo {
  readonly cell: Cell
  readonly path: string
  /** `image/svg+xml` */
  readonly type: string
  readonly content: Uint8Array
}

/** `- **Theme:** [look](brand/theme.css)`. */
export interface Theme {
  readonly cell: Cell
  readonly path: string
  readonly css: string
  /** What it loads, by the `url(…)` as it stands there. */
  readonly files: readonly { readonly written: string; readonly type: string; readonly content: Uint8Array }[]
}

export interface Brand {
  /** The accent that is made of one colour; null: the standard look. */
  readonly colour: { readonly cell: Cell; readonly colours: Accents } | null
  readonly logo: Logo | null
  /** Its style sheet, behind all others; null: none. */
  readonly theme: Theme | null
  /** Lines at the head of what is printed; the first stands in the place of the application's name. Empty: that name alone. */
  readonly letterhead: readonly string[]
  /** Stands above the form of the sign-in. */
  readonly signInText: Cell | null
}

/** `- **Sign-up:** example.org as Borrower`. */
export interface SignUp {
  readonly cell: Cell
  /** Of their addresses; null: any. */
  readonly domains: readonly string[] | null
  /** The roles that they are given, as written. */
  readonly as: Cell | null
}

export interface Language {
  readonly tag: string
  readonly cell: Cell | null
  /** What Ninefold says in it, as a file beside the document has it. Absent: as Ninefold itself has it, if it does. */
  readonly catalogue?: Catalogue
}

export interface Product {
  /** The heading's own cell, or the title where the heading is missing. */
  readonly cell: Cell
  /** Paragraphs, for the start page and the documentation; they decide nothing. */
  readonly prose: readonly Cell[]
  readonly serves: Cell | null
  readonly brand: Brand
  /** IANA name. Assumed `UTC` under A-ZONE-1 where the document is silent. */
  readonly timeZone: { readonly name: string; readonly cell: Cell | null }
  /** 0 for Monday to 6 for Sunday; cell null: as the first language has it. */
  readonly weekBegins: { readonly day: number; readonly cell: Cell | null }
  /** BCP 47 tags; the document is written in the first. Assumed `en` under A-LANGUAGE-1. */
  readonly languages: readonly Language[]
  /** Of whoever chose none, and asks for none that there is: the first, unless the document says otherwise. */
  readonly defaultLanguage: Language
  /** Of each language but the first, by its tag: the document's texts in it, by the text as the document writes it. */
  readonly translations: ReadonlyMap<string, ReadonlyMap<string, Translation>>
  /** `- **Tenant:** Company`: whose records belong to whom. Null: nobody is kept apart. */
  readonly tenant: Tenant | null
  /** Ways to sign in that the document names. Empty: password, under A-SIGNIN-1. */
  readonly signIn: readonly Specified<{
    readonly way: 'e-mail link' | 'password' | 'single sign-on' | 'passkey'
    readonly cell: Cell
  }>[]
  /** Who becomes a person by themselves. Null: nobody. */
  readonly signUp: SignUp | null
  /** Roles that read the document inside the application, as written. */
  readonly documentFor: Cell | null
  /** Roles in which assistants may act, as written. */
  readonly assistants: Cell | null
  /** What they ask a person before, as written. */
  readonly assistantsAsk: Cell | null
  /** Assumptions accepted with `- **Assume:** A-…`. */
  readonly accepted: readonly Cell[]
  /** Warnings accepted with `- **Accept:** N1404 Lost`. */
  readonly acceptedWarnings: readonly Cell[]
}

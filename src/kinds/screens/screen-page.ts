/** What a screen kind answers, view half: its page. `pages.ts` lists them; the data half is `screen-kind.ts`. */
import type { ReactElement } from 'react'
import type { Expression } from '../../expression/expression.ts'
import type { Screen } from '../../headings/2-screens/model.ts'
import type { IconName } from '../../ui/icons.tsx'
import type { Sheet } from '../../ui/paper/paper.ts'
import type { Made } from '../../ui/shell.tsx'
import type { Spoken, Texts } from '../../ui/speak.ts'
import type { Presenter } from './presenter.ts'
import type { WholeRecord } from './read-data.ts'
import type { RowsNeed } from './screen-kind.ts'
import type { Hidden, LinkView, ScreenView } from './view-model.ts'

/** A page that is ready to be put into the shell. */
export interface Page {
  readonly view: ScreenView
  readonly content: ReactElement | Made
  /** Entries of `client/` of this kind, besides those of every page. */
  readonly scripts: readonly string[]
  /** It is for paper: without navigation. `foot`: at the foot of each sheet; `back`: above it on the screen; `sent`: by what form it was asked for, if by any. */
  readonly paper?:
    | { readonly foot: string; readonly back: LinkView | null; readonly sent?: readonly Hidden[] }
    | undefined
}

/** Another address is the one to open. */
interface Redirect {
  readonly seeOther: string
}

/** Figures as a file, in the format that the address asks for. */
export interface FiguresFile {
  readonly entity: string
  readonly head: readonly string[]
  readonly shows: readonly ('text' | 'number' | 'percent')[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** What the page shows, as a file for paper. */
export interface PaperFile {
  readonly sheets: readonly Sheet[]
  /** Records that leave the application with it, as with other files; null: it is what the page is. */
  readonly out: { readonly entity: string; readonly columns: readonly string[]; readonly rows: number } | null
  /** It would be more than paper takes. */
  readonly tooMany: boolean
}

/** All rows that an address asks for, as a file in the format that it names. */
interface RowsFile {
  readonly out: RowsNeed
}

export interface ScreenPage {
  /** As the data half is called. */
  readonly name: string
  /** In the navigation; null: none. */
  readonly icon: IconName | null
  /** Its style sheet, beside it; null: it has none. It goes into the one sheet of all pages, behind those of `ui`. */
  readonly sheet: URL | null
  /** What it says itself, by language; null: nothing. */
  readonly texts: Pick<Spoken<Texts>, 'section' | 'languages'> | null
  /** Reads, formats, draws. Null: there is no such page for this person. */
  readonly get: (
    screen: Screen,
    presenter: Presenter,
  ) => Promise<Page | Redirect | FiguresFile | PaperFile | RowsFile | null>
  /** Of a kind for paper: one of several records, on a sheet of its own. `told`: what is read of them besides their fields. */
  readonly paper?: {
    readonly told: (screen: Screen) => readonly Expression[]
    readonly sheet: (screen: Screen, presenter: Presenter, entity: string, record: WholeRecord) => ReactElement
    /** The same, for a file. */
    readonly set: (screen: Screen, presenter: Presenter, entity: string, record: WholeRecord) => Sheet
  }
}

/** What functions beside a document are given, and give. `ninefold types` writes the rest: the document's own types, in `ninefold.d.ts`. */

/** A number with decimals, as text: `"12.50"`. */
export type Decimal = string

/** `2026-03-28` */
export type DateText = string

/** `2026-03-28T10:00:00.000Z` */
export type Moment = string

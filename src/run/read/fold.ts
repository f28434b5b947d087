/** What texts are searched by, as `ninefold.fold` makes it in the database: for the few words that are not there. */
import { indivisible } from '../../expression/letters.ts'

const singleMarks = /[’‘‚‛‹›ʹʻʼʽˈˊˋ՚׳′‵ꞌ❛❜＇`´]/g
const doubleMarks = /[“”„‟«»ʺ˝״″‶❝❞⹂〝〞〟＂]/g

/** Accents, hyphens, and what nobody sees. */
const unread =
  /[\u0300-\u036f]|[\ufe00-\ufe0f]|[\u00ad\u061c\u180e\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060-\u206f\u2212\ufeff-]/g

export const folded = (text: string): string =>
  text
    .replace(singleMarks, "'")
    .replace(doubleMarks, '"')
    .normalize('NFKD')
    .toLowerCase()
    .replace(unread, '')
    .replace(/[ßæœøłđðþıħŧ]/g, letter => indivisible[letter]!)

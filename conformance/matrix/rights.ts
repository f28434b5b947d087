/**
 * Who may write which item of store-room.md, worked out by a person reading it, and by nothing else: this file imports nothing. What a
 * record would be decides as much as what it is.
 */

export const whos = ['Ben', 'Cleo'] as const
export type Who = (typeof whos)[number]

export interface Item {
  /** Its keeper is whoever asks. */
  readonly own: boolean
  readonly weight: number
}

export type Answer = 'done' | 'NF-CHANGE-DENIED' | 'NF-CHANGE-OUT' | 'NF-CREATE-DENIED'

/** Section 6: everyone signed in is a Keeper; Cleo is a Porter, too. */
const isPorter = (who: Who): boolean => who === 'Cleo'

/** Column Change: Keeper `keeper = me`; Porter `weight < 100`; never `weight > 500`. */
const mayChange = (who: Who, { own, weight }: Item): boolean =>
  weight <= 500 && (own || (isPorter(who) && weight < 100))

/** Column Change to: Porter `weight < 200`, of what a Porter may change. What nobody may change is nothing to be led to. */
const leadsFurther = (who: Who, before: Item, after: Item): boolean =>
  isPorter(who) && before.weight < 100 && after.weight < 200

export function change(who: Who, before: Item, after: Item): Answer {
  if (!mayChange(who, before)) return 'NF-CHANGE-DENIED'
  return mayChange(who, after) || leadsFurther(who, before, after) ? 'done' : 'NF-CHANGE-OUT'
}

/** Of a label of one's own item: Change `author = me`. */
export const changeLabel = (authorAfter: { readonly own: boolean }): Answer =>
  authorAfter.own ? 'done' : 'NF-CHANGE-OUT'

/** Column Create, and that of its labels: `author = me`. `held`: how many items they keep already. */
export function create({ own, weight }: Item, held: number, authors: readonly { readonly own: boolean }[]): Answer {
  const isAllowed = own && weight < 1000 && held + 1 <= 2 && authors.every(author => author.own)
  return isAllowed ? 'done' : 'NF-CREATE-DENIED'
}

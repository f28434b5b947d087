/** What a write is done for, where it is more than one field: the occasions of rules beside the steps. */

/** Sample data are records in the middle of their lives: what is asked when one is created is not asked of them. */
export const sampled = 'sample data'

/** Whether all of it is written, its rows too. A step changes no child rows. */
export const writesWhole = ({ on }: { readonly on: string }): boolean =>
  on === 'create' || on === 'change' || on === sampled

/** Writes of sample data: records in the middle of their lives. What is asked when one is created is not asked of them. */

/** What such a write is done for, where others say `create`, `change`, or the key of a step. */
export const sampled = 'sample data'

/** Whether all of it is written, its rows too. A step changes no child rows. */
export const writesWhole = ({ on }: { readonly on: string }): boolean =>
  on === 'create' || on === 'change' || on === sampled

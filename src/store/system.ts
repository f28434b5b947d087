/**
 * The tables that every application has, in the schema `ninefold`: who may sign in, what happened, what is still to happen.
 * They change by numbered steps (`system/`). A step that was released is never edited; what it got wrong, a later one puts right.
 * Times are `timestamptz(3)` and given by the caller, never `now()`: tests move the clock. Only claims go by the clock of the database (`run/claim.ts`).
 */

export interface SystemStep {
  readonly number: number
  /** In words, for the plan. */
  readonly what: string
  /** `after`: needs the application's own tables (`person`). */
  readonly when: 'before' | 'after'
  readonly sql: string
}

/**
 * Sorting for people, the same on every server: by the root rules of the Unicode Collation Algorithm, with numbers by what they count,
 * `Customer 3` before `Customer 13`. Texts that count alike and differ (`A 3`, `A 03`) are apart: no two are equal that are not the same.
 */
export const collation = 'ninefold.counting'

/** A row of `ninefold.timer` that stands for all records of an entity: its timers are to be armed anew. No key begins with a space. */
export const rearmMark = ' rearm'
/** The record of rows that stand for all records of an entity. */
export const nobody = '00000000-0000-0000-0000-000000000000'

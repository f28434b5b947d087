/** How long tests wait, and how much they try. */

/**
 * Milliseconds for what must come. Nothing is judged by them: on a busy machine things come when they come, and only what never comes
 * fails.
 */
export const patience = {
  /** A test, or what prepares for it. */
  test: 600_000,
  /** One thing within it: an answer, a line, an element of a page. */
  step: 120_000,
}

/** `NINEFOLD_TEST_WHOLE=1`: the tests that take samples take all. */
export const whole = process.env.NINEFOLD_TEST_WHOLE === '1'

/** Of so many cases that chance makes, a quarter, unless the whole is asked for. Where chance has no fixed seed, each run tries others. */
export const sampled = (count: number): number => (whole ? count : Math.ceil(count / 4))

/** Of what takes long each, one of so many, by chance: every run tries others. All of them where the whole is asked for. */
export function someOf<T>(all: readonly T[], oneOf: number): readonly T[] {
  const first = Math.floor(Math.random() * oneOf)
  return all.filter((_, index) => whole || index % oneOf === first)
}

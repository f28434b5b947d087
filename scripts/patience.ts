/**
 * How long tests wait for what must come, in milliseconds. Nothing is judged by it: on a busy machine things come when they come, and
 * only what never comes fails.
 */
export const patience = {
  /** A test, or what prepares for it. */
  test: 600_000,
  /** One thing within it: an answer, a line, an element of a page. */
  step: 120_000,
}

/** With `NINEFOLD_TEST_WHOLE=1` the tests that take samples take all: more cases of every property, more blows, every question. */
export const whole = process.env.NINEFOLD_TEST_WHOLE === '1'

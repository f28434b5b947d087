import { spawnSync } from 'node:child_process'

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

/** Another one for each commit, the same in all runs of one; by chance where there is no repository. */
const turn = turnOfCommit() ?? Math.floor(Math.random() * 1000)

function turnOfCommit(): number | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' })
  return status === 0 ? Number.parseInt(stdout.slice(0, 6), 16) : null
}

/** Of what takes long each, one of so many, others at another commit. All of them where the whole is asked for. */
export const someOf = <T>(all: readonly T[], oneOf: number): readonly T[] =>
  all.filter((_, index) => whole || (index + turn) % oneOf === 0)

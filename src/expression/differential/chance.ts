/** Chance that repeats: the same seed gives the same numbers. */
export interface Chance {
  /** From 0 up to, but not including, 1. */
  readonly number: () => number
  readonly below: (limit: number) => number
  /** True in so many of a hundred cases. */
  readonly percent: (share: number) => boolean
  readonly one: <T>(of: readonly T[]) => T
}

export function chance(seed: number): Chance {
  let state = seed >>> 0
  const number = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(number() * limit)
  return {
    number,
    below,
    percent: share => number() * 100 < share,
    one: of => of[below(of.length)]!,
  }
}

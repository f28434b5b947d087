/** Addresses that a person goes to next: only ever places in this application. */

/** Letters of an address that is kept for later; a header must hold it. */
export const longestNext = 2000

/**
 * A path of ours out of what an address or a form says, or `fallback`. Whatever a browser might take for another host is refused:
 * `//host`, `/\host`, `\t//host`, a scheme, control characters.
 */
export function safeNext(given: string | null | undefined, fallback = '/'): string {
  if (given === null || given === undefined || given.length > longestNext) return fallback
  if (!/^\/(?![/\\])/.test(given)) return fallback
  for (const letter of given) {
    const code = letter.codePointAt(0) as number
    if (code <= 0x20 || code === 0x5c || code === 0x7f || (code >= 0xd800 && code <= 0xdfff)) return fallback
  }
  const base = 'http://ninefold.invalid'
  if (!URL.canParse(given, base)) return fallback
  const url = new URL(given, base)
  // Dot segments may uncover what was not there at first sight: `/..//host` becomes `//host`.
  if (url.origin !== base || url.pathname.startsWith('//')) return fallback
  return url.pathname + url.search
}

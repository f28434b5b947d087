/** Cookies, the session cookie among them: all `HttpOnly`, `SameSite=Lax`, for the whole host and only for it. */

/** Names carry `__Host-` where the application is reached by https; over plain http on this machine browsers would refuse that. */
export interface CookieJar {
  readonly session: string
  /** Of a browser that is not signed in: ties its forms, e-mail links and kept POSTs to it. */
  readonly visit: string
  /** Of a browser that somebody has signed in from: it is known by it for long, and nobody is let in by it. */
  readonly device: string
  /** Of a browser that opened the link of a record without an account. */
  readonly case: string
  /** Where such a browser goes on once it has opened the link again. */
  readonly caseNext: string
  /** A word for the next page: "Saved." */
  readonly flash: string
  readonly secure: boolean
}

export function cookieJar(secure: boolean): CookieJar {
  const prefix = secure ? '__Host-' : ''
  return {
    session: `${prefix}ninefold`,
    visit: `${prefix}ninefold-visit`,
    device: `${prefix}ninefold-device`,
    case: `${prefix}ninefold-case`,
    caseNext: `${prefix}ninefold-case-next`,
    flash: `${prefix}ninefold-flash`,
    secure,
  }
}

/** A browser that keeps no cookies, or has forgotten all of ours. */
export const keepsNone = ({ secure: _, ...names }: CookieJar, cookies: ReadonlyMap<string, string>): boolean =>
  Object.values(names).every(name => !cookies.has(name))

/** The first cookie of each name; of two the browser sends the one with the longer path first, and ours have none. */
export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at < 1) continue
    const name = part.slice(0, at).trim()
    if (!found.has(name)) found.set(name, part.slice(at + 1).trim())
  }
  return found
}

/** `maxAge` in seconds; null: until the browser is closed; 0: forget it. `value` is base64url or otherwise plain. */
export function setCookie(jar: CookieJar, name: string, value: string, maxAge: number | null = null): string {
  const age = maxAge === null ? '' : `; Max-Age=${maxAge}`
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${jar.secure ? '; Secure' : ''}${age}`
}

export const dropCookie = (jar: CookieJar, name: string): string => setCookie(jar, name, '', 0)

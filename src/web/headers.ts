/** Headers of every response, errors and files included; files of the browser's have no `permissions-policy`. */

/**
 * No inline script or style and nothing from elsewhere. Islands read their data from `<script type="application/json">`,
 * which is not run and so needs no exception.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  // Documents among the files of a record.
  "frame-src 'self'",
  "object-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** In `dev` the editor shows the application beside the document: its own pages may stand in a frame of its own pages. */
const developmentPolicy = contentSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")

/** For the one kind of page that others may show in theirs. */
export const framedIn = (origins: readonly string[]): string =>
  contentSecurityPolicy.replace("frame-ancestors 'none'", `frame-ancestors ${origins.join(' ')}`)

/** For a page whose form leads to a page of others: browsers follow from a form only where it is allowed. `to`: an origin, or a scheme. */
export const formsLeadTo = (to: string): string =>
  contentSecurityPolicy.replace("form-action 'self'", `form-action 'self' ${to}`)

const always: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Not `no-referrer`: with it browsers send `Origin: null` with our own forms, and no form could be told from a stranger's.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-permitted-cross-domain-policies': 'none',
}

/** One year, subdomains included; only sent where the application is reached by https. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

export const securityHeaders = (secure: boolean, dev: boolean): Readonly<Record<string, string>> => ({
  ...always,
  ...(dev ? { 'content-security-policy': developmentPolicy, 'x-frame-options': 'SAMEORIGIN' } : {}),
  ...(secure ? strictTransport : {}),
})

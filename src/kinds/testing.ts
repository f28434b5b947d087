/** For the tests of kinds: an application read from a document, in which nothing may be wrong. */

import type { App } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'

export function appOf(text: string): App {
  const { app, found } = readApp('app.md', path => (path === 'app.md' ? text : null))
  const wrong = found.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`)
  if (app === null || wrong.length > 0) throw new Error(wrong.join('\n'))
  return app
}

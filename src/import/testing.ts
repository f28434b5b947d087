/** For tests of importers: a document read as `ninefold check` reads it. */
import type { Diagnostic } from '../document/diagnostic.ts'
import type { App } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'

/** Errors and warnings; gaps are what the source did not say. */
export function readImported(document: string): { readonly app: App; readonly wrong: readonly string[] } {
  const { app, found } = readApp('app.md', path => (path === 'app.md' ? document : null), { version: () => 'imported' })
  if (app === null) throw new Error('The document cannot be read.')
  return { app, wrong: found.filter(isWrong).map(({ code, message, span }) => `${code} ${message}: ${lineOf(span)}`) }
}

const isWrong = ({ severity }: Diagnostic): boolean => severity === 'error' || severity === 'warning'

const lineOf = ({ file, start }: Diagnostic['span']): string => {
  const from = file.text.lastIndexOf('\n', start - 1) + 1
  const end = file.text.indexOf('\n', from)
  return file.text.slice(from, end < 0 ? undefined : end)
}

/** What can be served, or the reason why it cannot. */
import { type Loaded, loadApp } from '../cli/load.ts'
import { findingOf, printFrames } from '../document/print.ts'
import type { App } from '../headings/app.ts'
import { DocumentError } from './document-error.ts'

/** Throws `DocumentError` for a document with errors. */
export function soundApp(file: string): Loaded & { readonly app: App } {
  const loaded = loadApp(file)
  const { app, errors } = loaded
  if (app === null || errors.length > 0)
    throw new DocumentError(`${file} cannot be served:\n\n${printFrames(errors)}`, errors.map(findingOf))
  return { ...loaded, app }
}

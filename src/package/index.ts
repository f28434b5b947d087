/** `import … from 'ninefold'`: reads documents and serves them, as the commands do. */

import { readingFrom } from '../cli/environment.ts'
import { loadApp, readTexts } from '../cli/load.ts'
import { failureOf } from '../cli/process.ts'
import type { Finding } from '../document/finding.ts'
import { findingOf } from '../document/print.ts'
import { serving } from './serving.ts'
import { soundApp } from './sound.ts'

export type { Finding, Place } from '../document/finding.ts'
export { DocumentError } from './document-error.ts'

export interface ReadDocument {
  /** Its title; null where it cannot be understood at all. */
  readonly name: string | null
  /** Names exactly this text, as the application shows it: twelve hexadecimal digits. Empty where `name` is null. */
  readonly version: string
  /** The root file and all that it refers to, seen from the root file's folder. */
  readonly files: readonly string[]
  /** What `ninefold check` says about it, what it leaves open included, in its order. */
  readonly findings: readonly Finding[]
  /** Those that keep it from being served; none: it can be. */
  readonly errors: readonly Finding[]
}

/** Gives the text of a file of the document, seen from the root file's folder; null where there is none. */
export type ReadText = (path: string) => string | null

/** Reads a document from disk, or from wherever `read` takes its texts. Throws where there is no such file. */
export function readDocument(file: string, read?: ReadText): ReadDocument {
  const { app, files, found, errors } = read === undefined ? loadApp(file) : readTexts(file, read)
  return {
    name: app?.name ?? null,
    version: app?.version ?? '',
    files: files.map(({ path }) => path),
    findings: found.map(findingOf),
    errors: errors.map(findingOf),
  }
}

export interface ServeOptions {
  /** What the command reads from the environment (docs/serving.md): `DATABASE_URL`, `PORT`, `SMTP_URL` …. The environment of this process if absent. */
  readonly settings?: Readonly<Record<string, string | undefined>>
  /** Takes each line of the log: JSON, with a line break at its end. */
  readonly log?: (line: string) => void
}

export interface Service {
  readonly url: string
  /** Answers what has begun, then lets go of port and database. */
  readonly close: () => Promise<void>
}

/**
 * Serves a document in this process, as `ninefold serve` does. Rejects with `DocumentError` for a document with errors, and with an `Error`
 * that says what to do where a setting cannot be used or the database has not the tables of the document (`ninefold apply`).
 */
export async function serve(
  file: string,
  { settings = process.env, log = () => {} }: ServeOptions = {},
): Promise<Service> {
  const { app, inSamples } = soundApp(file)
  const { startService, logTo } = await serving()
  const variable = readingFrom(settings)
  const output = { log: logTo({ write: log }), flush: () => {}, tell: () => {} }
  return startService(file, { app, inSamples, variable, ...output }).catch(error => {
    const failure = failureOf(error)
    throw failure === null ? error : new Error(failure.why, { cause: error })
  })
}

/** What a command is, and what it may refuse. */

import type { Output } from './output.ts'

/** The call is wrong (a file that is not there, too many names): said on the terminal, exit code 2. */
export class CannotRead extends Error {}

export interface Command {
  readonly name: string
  readonly options: Readonly<Record<string, Option>>
  /** Exit code: 0 fine, 1 the document or the application is not as it should be, 2 the call is wrong. */
  readonly run: (files: readonly string[], options: Options, output: Output) => Promise<number>
}

/** A command that is not loaded yet. */
export interface Listed {
  /** After `ninefold`. */
  readonly usage: string
  readonly meaning: string
  /** Does the same things over and over from its beginning on; `serve` says itself when it has begun. */
  readonly lasts?: true
  readonly load: () => Promise<Command>
}

export interface Option {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly meaning: string
}

/** Of every command. */
export const jsonOption: Option = {
  type: 'boolean',
  meaning: 'the result as JSON, for programs (docs/commands.md)',
}

export type Options = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

/** The one file that a command is about. */
export function onlyFile(files: readonly string[], command: string): string {
  if (files.length !== 1)
    throw new CannotRead(
      `'ninefold ${command}' takes one file; ${files.length === 0 ? 'none was' : `${files.length} were`} named. For example: ${typed(command, 'app.md')}`,
    )
  return files[0]!
}

/** A command as a shell takes it: `npx ninefold check 'my desk.md'`. */
export const typed = (...words: readonly string[]): string =>
  [
    'npx ninefold',
    ...words.map(word => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)),
  ].join(' ')

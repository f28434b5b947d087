/** `ninefold lsp`: a language server on standard input and output, for editors. */
import { serveEditor } from '../language-server/server.ts'
import type { Command } from './command.ts'

export const lsp: Command = {
  name: 'lsp',
  options: { stdio: { type: 'boolean', meaning: 'what editors add; it changes nothing' } },
  run: () => {
    serveEditor(process.stdin, process.stdout)
    // It ends the process when the editor says so.
    return new Promise<number>(() => {})
  },
}

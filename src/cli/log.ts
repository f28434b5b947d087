/** The log of `serve`: one line of JSON for each event, whatever stands in it, with the time in milliseconds since 1970 (UTC). */
import pino from 'pino'
import type { LogEntry } from '../web/request-context.ts'

/** Without the serializer the message and the stack of a failure would be left out. */
export const logTo = (lines: pino.DestinationStream): pino.Logger =>
  pino({ serializers: { error: pino.stdSerializers.err } }, lines)

/** On standard output. `flush` writes what waits to be written. */
export function openLog(): { readonly log: pino.Logger; readonly flush: () => void } {
  // Written in blocks, at the latest each second: a line of its own would cost every request a call of the operating system. A block is
  // shorter than what several processes may write to a pipe at a time without getting mixed up.
  const lines = pino.destination({ minLength: 3072, periodicFlush: 1000 })
  // Not `flushSync` alone, which would wait for ever for somebody to read where nobody does any more.
  process.on('exit', () => {
    lines.flush()
    lines.flushSync()
  })
  return { log: logTo(lines), flush: () => lines.flush() }
}

export const writeEntry = (log: pino.Logger, { level, event, request, detail }: LogEntry): void =>
  log[level]({ event, request, ...detail })

/** The log of `serve`: one line of JSON for each event, whatever stands in it, with the time in milliseconds since 1970 (UTC). */
import pino from 'pino'
import type { LogEntry } from '../web/request-context.ts'

/** Without the serializer the message and the stack of a failure would be left out. */
export const openLog = (lines: pino.DestinationStream): pino.Logger =>
  pino({ serializers: { error: pino.stdSerializers.err } }, lines)

export const writeEntry = (log: pino.Logger, { level, event, request, detail }: LogEntry): void =>
  log[level]({ event, request, ...detail })

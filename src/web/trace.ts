/** Which trace a request is part of, by W3C Trace Context: whoever asks, or a proxy in front, says it. */
import type { IncomingHttpHeaders } from 'node:http'

/** Nothing where none is said, or not as the standard writes it. */
export function traceOf({ traceparent }: IncomingHttpHeaders): { readonly trace?: string } {
  const trace = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/.exec(
    String(traceparent),
  )?.[1]
  return trace === undefined ? {} : { trace }
}

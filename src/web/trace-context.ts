/** Which trace a request is part of, by W3C Trace Context: whoever asks, or a proxy in front, says it. */
import type { IncomingHttpHeaders } from 'node:http'

/** Its id. Nothing where none is said, or not as the standard writes it. */
export function traceOf(headers: IncomingHttpHeaders): { readonly trace?: string } {
  const { trace } = traceAround(headers)
  return trace === undefined ? {} : { trace: trace.slice(0, 32) }
}

/** Its id and flags, `4bf9…4736-01`: what calls carry on that the request causes. */
export function traceAround({ traceparent }: IncomingHttpHeaders): { readonly trace?: string } {
  const [, id, flags] =
    /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})/.exec(String(traceparent)) ?? []
  return id === undefined ? {} : { trace: `${id}-${flags}` }
}

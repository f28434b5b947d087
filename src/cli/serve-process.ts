/** A process that serves in production: the only one, or one of many. */

import type { Logger } from 'pino'
import type { Diagnostic } from '../document/diagnostic.ts'
import { printFrames } from '../document/print.ts'
import { obey } from './channel.ts'
import { optimiseAsUsual, releaseMemory } from './engine.ts'
import { variable } from './environment.ts'
import { loadApp } from './load.ts'
import { openLog } from './log.ts'
import { delayed, shutdownDelayOf, signalled } from './process.ts'
import { isOneOfMany } from './processes.ts'
import { lineOf, startService } from './service.ts'

/** What keeps the document from being served: for people in frames, and in the log. */
function tellErrors(log: Logger, errors: readonly Diagnostic[]): void {
  process.stderr.write(printFrames(errors))
  for (const { code, message, span } of errors)
    log.error({ event: 'not started', code, why: message, line: lineOf(span) })
}

/** Until it is asked to end; gives the exit code. */
export async function serveHere(file: string): Promise<number> {
  const { log, flush } = openLog()
  const { app, errors, inSamples } = loadApp(file)
  const tell = (errors: readonly Diagnostic[]) => tellErrors(log, errors)
  if (app === null || errors.length > 0) {
    tell(errors)
    return 1
  }
  const delay = shutdownDelayOf(variable('SHUTDOWN_DELAY'))
  const signal = signalled()
  const service = await startService(file, { app, inSamples, variable, log, flush, tell, handedOver: isOneOfMany() })
  optimiseAsUsual()
  releaseMemory()
  if (isOneOfMany()) await obey(service.web)
  else {
    const asked = await signal
    service.web.leave()
    await delayed(asked, delay)
  }
  await service.close()
  return 0
}

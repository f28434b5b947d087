/** `ninefold serve`: production. Your own PostgreSQL, your own people; the tables must be as the document wants them. */
import { codeOf } from '../store/failures.ts'
import { securityHeaders } from '../web/headers.ts'
import { cookieJar } from '../web/sign-in/cookies.ts'
import { type Command, onlyFile } from './command.ts'
import { optimiseAsUsual } from './engine.ts'
import { variable } from './environment.ts'
import { type Front, openFront } from './front.ts'
import { openLog } from './log.ts'
import { metricsAddressOf, serveMetrics } from './metrics-server.ts'
import { failureOf, hostOf, portOf, publicUrlOf, shutdownDelayOf, trustedProxiesOf } from './process.ts'
import { isOneOfMany, leaveTheOthers, processesOf, serveInProcesses } from './processes.ts'

export const serve: Command = {
  name: 'serve',
  options: {},
  run: files => logFailure(() => serveFor(onlyFile(files, 'serve'))).finally(leaveTheOthers),
}

/** Whoever reads the log alone learns why nothing is served. */
async function logFailure(act: () => Promise<number>): Promise<number> {
  try {
    return await act()
  } catch (error) {
    const why = failureOf(error)?.why ?? null
    const code = codeOf(error) || codeOf((error as Error).cause) || null
    openLog().log.error({ event: 'not started', ...(why === null ? { error } : { code, why }) })
    throw error
  }
}

/** The process that starts the others has the address, and loads nothing of what they do, not even the document: the first of them says what keeps all from serving. */
async function serveFor(file: string): Promise<number> {
  const processes = processesOf(variable('WEB_PROCESSES'))
  if (processes === 1 || isOneOfMany()) return (await import('./serve-process.ts')).serveHere(file)
  const metricsAt = metricsAddressOf(variable)
  const delay = shutdownDelayOf(variable('SHUTDOWN_DELAY'))
  const isSecure = publicUrlOf(variable('PUBLIC_URL'))?.startsWith('https:') ?? false
  const { log, flush } = openLog()
  let front: Front | null = null
  const figures = async () => {
    const { figuresOfAll, measureFront } = await import('./metrics.ts')
    return figuresOfAll(measureFront(() => front?.admission() ?? null))
  }
  const shown = metricsAt === null ? null : await serveMetrics(metricsAt, await figures())
  if (shown !== null) log.info({ event: 'metrics', url: shown.url })
  front = await openFront({
    host: hostOf(variable),
    port: portOf(variable('PORT')),
    headers: securityHeaders(isSecure, false),
    trustedProxies: trustedProxiesOf(variable('TRUSTED_PROXIES')),
    session: cookieJar(isSecure).session,
  })
  optimiseAsUsual()
  return serveInProcesses(processes, front, delay, why => {
    log.warn({ event: 'process ended', why })
    flush()
  }).finally(() => shown?.close())
}

/** A document in production, as settings say: what `ninefold serve` and `serve` of the package start. */
import type { Logger } from 'pino'
import { position } from '../document/cell.ts'
import type { Diagnostic } from '../document/diagnostic.ts'
import type { Span } from '../document/source.ts'
import { sql } from '../expression/sql.ts'
import type { App } from '../headings/app.ts'
import { notSet as notSetOf } from '../run/later/egress.ts'
import { repliesOf, shortestReplyKey } from '../run/people/reply-address.ts'
import { planMigration } from '../store/migrate.ts'
import type { Store } from '../store/pool.ts'
import { place } from '../trace/words.ts'
import { resealSecrets } from '../web/sign-in/second-factor.ts'
import { CannotRead, typed } from './command.ts'
import { mustBeAddress, notAsWanted, openDatabase } from './database.ts'
import { tracesAskedBy, type Variable } from './environment.ts'
import { keepsFiles, openFiles } from './files.ts'
import type { Loaded } from './load.ts'
import { writeEntry } from './log.ts'
import { metricsAddressOf, serveMetrics } from './metrics-server.ts'
import { hostOf, mailFromByDefault, mailFromOf, portOf, publicUrlOf, smtpUrlOf, trustedProxiesOf } from './process.ts'
import { isFirst, isOneOfMany } from './processes.ts'
import { openSeal } from './secrets.ts'
import { type Serving, startServing } from './serving.ts'
import { checkSettings } from './settings.ts'

export interface Service {
  readonly url: string
  readonly web: Serving['web']
  /** Answers what has begun. */
  readonly close: () => Promise<void>
}

interface ServiceOptions {
  readonly app: App
  readonly inSamples: Loaded['inSamples']
  readonly variable: Variable
  readonly log: Logger
  /** Writes what waits in the log. */
  readonly flush: () => void
  /** What keeps the document from being served on this database. */
  readonly tell: (errors: readonly Diagnostic[]) => void
  /** See `WebOptions`. */
  readonly handedOver?: boolean
}

/** Whether there is no person at all. */
async function isEmpty(store: Store): Promise<boolean> {
  const [found] = await store.query<{ empty: boolean }>(sql`select not exists (select from public.person) as empty`)
  return found!.empty
}

export const lineOf = ({ file, start }: Span): string => `${file.path}:${position(file, start).line}`

interface Settings {
  readonly port: number
  readonly publicUrl: string | null
  readonly smtp: unknown
  readonly from: string | null
  /** Whether secrets are kept under a key. */
  readonly seals: boolean
}

/** One line for each setting that is not set and that people would miss, and for sample data that cannot be read. */
function warnOfSettings(options: Pick<ServiceOptions, 'app' | 'inSamples' | 'variable' | 'log'> & Settings): void {
  const { app, inSamples, variable, log, port, publicUrl, smtp, from, seals } = options
  const unset: readonly (readonly [name: string, isSet: boolean, why: string])[] = [
    [
      'PUBLIC_URL',
      publicUrl !== null,
      `links in mails lead to http://localhost:${port}, and cookies are not kept to https`,
    ],
    ['SMTP_URL', smtp !== null, 'no mail is sent: no invitation, no link to sign in, no notice'],
    ['MAIL_FROM', smtp === null || from !== null, `mails come from ${mailFromByDefault}, which most servers refuse`],
    ['SECRETS_KEY', seals, 'secrets of authenticators are kept as they are'],
    ...notSetOf(app, variable).map(([name, cell]) => [name, false, `the document names it at ${place(cell)}`] as const),
  ]
  for (const [name, isSet, why] of unset) if (!isSet) log.warn({ event: 'not set', name, why })
  if (inSamples.length > 0) {
    const where = `${lineOf(inSamples[0]!.span)}: ${inSamples[0]!.message}`
    log.warn({ event: 'sample data', why: `only dev reads it in, and cannot: ${where}`, errors: inSamples.length })
  }
}

/** Throws `CannotRead` for a setting that cannot be used, `Unavailable` where the database is not as the document wants it. */
export async function startService(
  file: string,
  { app, inSamples, variable, log, flush, tell, handedOver = false }: ServiceOptions,
): Promise<Service> {
  if (variable('DATABASE_URL') === undefined)
    throw new CannotRead(
      'DATABASE_URL is not set. `serve` needs a PostgreSQL of yours; to try things out, use `dev`, which starts one.',
    )
  const port = portOf(variable('PORT'))
  const publicUrl = publicUrlOf(variable('PUBLIC_URL'))
  const trustedProxies = trustedProxiesOf(variable('TRUSTED_PROXIES'))
  const smtp = smtpUrlOf(variable('SMTP_URL'))
  const from = mailFromOf(variable('MAIL_FROM'))
  if ((variable('REPLY_TO') ?? variable('REPLY_KEY')) !== undefined && repliesOf(variable) === null)
    throw new CannotRead(
      `Answers to notices are taken where REPLY_TO is an address like reply@in.example.org, with up to 11 characters before the @ and no plus, and REPLY_KEY has ${shortestReplyKey} characters or more. Set both, or neither.`,
    )
  const replicaUrl = variable('DATABASE_READ_URL') ?? null
  if (replicaUrl !== null) mustBeAddress('DATABASE_READ_URL', replicaUrl)
  const seal = openSeal(file, variable)
  const files = openFiles(file, keepsFiles(app), variable)
  const metricsAt = metricsAddressOf(variable)
  // Loaded only where somebody asks for figures.
  const measuring = metricsAt === null ? null : await import('./metrics.ts')
  const tracedBy = tracesAskedBy(variable)
  const traces = tracedBy === null ? null : await (await import('./traces.ts')).openTraces(tracedBy)
  checkSettings(app, variable)
  if (isFirst()) warnOfSettings({ app, inSamples, variable, log, port, publicUrl, smtp, from, seals: seal.seals })
  const database = await openDatabase(file, message => log.warn(message), { variable, version: app.version })
  try {
    const plan = await planMigration(database.store, app)
    if (!plan.possible || plan.steps.length > 0) {
      tell(plan.found.filter(({ severity }) => severity === 'error'))
      throw notAsWanted(file)
    }
    const resealed = await resealSecrets(database.store, seal)
    if (resealed > 0) log.info({ event: 'sealed anew', count: resealed })
    const metrics = measuring?.measure(database.store, () => new Date(), app.version) ?? null
    if (metrics !== null) measuring?.handOver(metrics.registry)
    const shown =
      metricsAt === null || metrics === null || isOneOfMany()
        ? null
        : await serveMetrics(metricsAt, () => metrics.registry.metrics())
    if (shown !== null) log.info({ event: 'metrics', url: shown.url })
    const serving = await startServing({
      app,
      store: database.store,
      files,
      mode: 'serve',
      host: hostOf(variable),
      port,
      handedOver,
      publicUrl,
      trustedProxies,
      clock: () => new Date(),
      log: entry => {
        writeEntry(log, entry)
        if (entry.level !== 'info') flush()
      },
      watching: [metrics, traces].flatMap(one => one ?? []),
      replicaUrl,
      smtp,
      from: from ?? mailFromByDefault,
      variable,
      seal,
    })
    if (isFirst() && (await isEmpty(database.store)))
      log.warn({
        event: 'nobody',
        why: `nobody can sign in yet; the first: ${typed('person', file)} --email … --name … --role …`,
      })
    log.info({ event: 'serving', url: serving.url, files: files.described, document: app.version })
    flush()
    return {
      url: serving.url,
      web: serving.web,
      async close() {
        await serving.close()
        await traces?.close()
        await shown?.close()
        await database.close()
        log.info({ event: 'stopped' })
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

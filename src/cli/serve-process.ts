/** A process that serves in production: the only one, or one of many. */

import { position } from '../document/cell.ts'
import { printFrames } from '../document/print.ts'
import { sql } from '../expression/sql.ts'
import { notSet as notSetOf } from '../run/later/egress.ts'
import { planMigration } from '../store/migrate.ts'
import type { Store } from '../store/pool.ts'
import { place } from '../trace/words.ts'
import { resealSecrets } from '../web/sign-in/second-factor.ts'
import { CannotRead, typed } from './command.ts'
import { notAsWanted, openDatabase } from './database.ts'
import { variable } from './environment.ts'
import { keepsFiles, openFiles } from './files.ts'
import { loadApp } from './load.ts'
import { openLog, writeEntry } from './log.ts'
import { metricsAddressOf, serveMetrics } from './metrics-server.ts'
import {
  mailFromByDefault,
  mailFromOf,
  portOf,
  publicUrlOf,
  smtpUrlOf,
  trustedProxiesOf,
  untilStopped,
} from './process.ts'
import { isFirst, isOneOfMany } from './processes.ts'
import { openSeal } from './secrets.ts'
import { startServing } from './serving.ts'
import { checkSettings } from './settings.ts'

/** Whether there is no person at all. */
async function isEmpty(store: Store): Promise<boolean> {
  const [found] = await store.query<{ empty: boolean }>(sql`select not exists (select from public.person) as empty`)
  return found!.empty
}

/** Until it is asked to end; gives the exit code. */
export async function serveHere(file: string): Promise<number> {
  const { app, errors, inSamples } = loadApp(file)
  if (app === null || errors.length > 0) {
    process.stdout.write(printFrames(errors))
    return 1
  }
  if (variable('DATABASE_URL') === undefined)
    throw new CannotRead(
      'DATABASE_URL is not set. `serve` needs a PostgreSQL of yours; to try things out, use `dev`, which starts one.',
    )
  const port = portOf(variable('PORT'))
  const publicUrl = publicUrlOf(variable('PUBLIC_URL'))
  const trustedProxies = trustedProxiesOf(variable('TRUSTED_PROXIES'))
  const smtp = smtpUrlOf(variable('SMTP_URL'))
  const from = mailFromOf(variable('MAIL_FROM'))
  const seal = openSeal(file)
  const files = openFiles(file, keepsFiles(app))
  const { log, flush } = openLog()
  const metricsAt = metricsAddressOf(variable)
  // Loaded only where somebody asks for figures.
  const measuring = metricsAt === null ? null : await import('./metrics.ts')
  checkSettings(app, variable)
  const notSet = (name: string, why: string) => log.warn({ event: 'not set', name, why })
  if (isFirst()) {
    if (publicUrl === null)
      notSet('PUBLIC_URL', `links in mails lead to http://localhost:${port}, and cookies are not kept to https`)
    if (smtp === null) notSet('SMTP_URL', 'no mail is sent: no invitation, no link to sign in, no notice')
    else if (from === null) notSet('MAIL_FROM', `mails come from ${mailFromByDefault}, which most servers refuse`)
    if (!seal.seals) notSet('SECRETS_KEY', 'secrets of authenticators are kept as they are')
    for (const [name, cell] of notSetOf(app, variable)) notSet(name, `the document names it at ${place(cell)}`)
    if (inSamples.length > 0) {
      const { file: at, start } = inSamples[0]!.span
      const where = `${at.path}:${position(at, start).line}: ${inSamples[0]!.message}`
      log.warn({ event: 'sample data', why: `only dev reads it in, and cannot: ${where}`, errors: inSamples.length })
    }
  }
  const stop = untilStopped()
  const database = await openDatabase(file, message => log.warn(message))
  try {
    const plan = await planMigration(database.store, app)
    if (!plan.possible || plan.steps.length > 0) {
      process.stdout.write(printFrames(plan.found))
      throw notAsWanted(file)
    }
    const resealed = await resealSecrets(database.store, seal)
    if (resealed > 0) log.info({ event: 'sealed anew', count: resealed })
    const metrics = measuring?.measure(database.store, () => new Date(), app.version) ?? null
    if (metrics !== null) measuring?.handOver(metrics.registry)
    const shown =
      metricsAt === null || measuring === null || isOneOfMany()
        ? null
        : await serveMetrics(metricsAt, measuring.exposition(metrics?.registry ?? null))
    if (shown !== null) log.info({ event: 'metrics', url: shown.url })
    const serving = await startServing({
      app,
      store: database.store,
      files,
      mode: 'serve',
      host: variable('HOST') ?? '0.0.0.0',
      port,
      publicUrl,
      trustedProxies,
      clock: () => new Date(),
      log: entry => {
        writeEntry(log, entry)
        if (entry.level !== 'info') flush()
      },
      ...(metrics === null ? {} : { metrics }),
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
    await stop
    await serving.close()
    await shown?.close()
    log.info({ event: 'stopped' })
    return 0
  } finally {
    await database.close()
  }
}

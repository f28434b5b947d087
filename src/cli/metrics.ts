/**
 * What `serve` counts, in the words of Prometheus. No label names a person or a record: what can stand in one is written in the document
 * or is a route of ours, so that there are never more series than that.
 */
import cluster from 'node:cluster'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Backlog, readBacklog } from '../run/later/backlog.ts'
import type { Observation } from '../run/observe.ts'
import { keptStatements } from '../run/statements.ts'
import type { Store } from '../store/pool.ts'
import type { Answered } from '../web/request-context.ts'
import type { Admission } from './front.ts'

export interface Metrics {
  readonly registry: Registry
  readonly answered: (request: Answered) => void
  readonly observed: (observation: Observation) => void
}

/** What is measured of a process. The database is asked when somebody asks for its figures, and only then. */
export function measure(store: Store, clock: () => Date, document: string): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  // Sums of others, under names that are kept for counters.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  new Gauge({
    name: 'ninefold_document_info',
    help: 'Version of the document that is served; its value is always 1.',
    labelNames: ['version'],
    aggregator: 'max',
    registers,
  }).set({ version: document }, 1)
  const requests = new Histogram({
    name: 'ninefold_http_request_duration_seconds',
    help: 'Requests that were answered, from the first byte to the last.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const writes = new Counter({
    name: 'ninefold_writes_total',
    help: 'Records created, changed, deleted and taken through steps, and what became of it.',
    labelNames: ['entity', 'what', 'outcome'],
    registers,
  })
  const timers = new Counter({
    name: 'ninefold_timers_total',
    help: 'Timers of records that fired, or could not.',
    labelNames: ['entity', 'timer', 'outcome'],
    registers,
  })
  const deliveries = new Counter({
    name: 'ninefold_delivery_attempts_total',
    help: 'Attempts to deliver mails and calls; state is what became of them: waiting is tried again, failed is given up.',
    labelNames: ['kind', 'name', 'state'],
    registers,
  })
  // Without one there is no such figure.
  let standby: Gauge | null = null
  gaugeOfConnections(store, registers)
  figuresOfStatements(registers)
  gaugesOfBacklog(
    sharedUntilRead(() => readBacklog(store, clock())),
    registers,
  )
  return {
    registry,
    answered: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    observed(observation) {
      if (observation.kind === 'wrote') {
        const { entity, what, outcome } = observation
        writes.inc({ entity, what, outcome: outcome.kind })
      } else if (observation.kind === 'timer') {
        const { entity, timer, error } = observation
        timers.inc({ entity, timer, outcome: error === null ? 'fired' : 'failed' })
      } else if (observation.kind === 'standby') {
        standby ??= gaugeOfStandby(registers)
        standby.set(observation.error === null ? 1 : 0)
      } else {
        const { of: kind, name, state } = observation
        deliveries.inc({ kind, name, state })
      }
    },
  }
}

function gaugeOfConnections(store: Store, registers: Registry[]): void {
  new Gauge({
    name: 'ninefold_database_connections',
    help: 'Connections to the database: open, idle, at most; and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(store.connections())) this.set({ state }, count)
    },
  })
}

const gaugeOfStandby = (registers: Registry[]): Gauge =>
  new Gauge({
    name: 'ninefold_standby_read',
    help: '1 while a standby is read, 0 while it is too far behind or away.',
    aggregator: 'min',
    registers,
  })

function figuresOfStatements(registers: Registry[]): void {
  new Counter({
    name: 'ninefold_statements_built_total',
    help: 'Statements and what else depends on the document alone that were built, because they were not kept.',
    registers,
    collect() {
      this.reset()
      this.inc(keptStatements().built)
    },
  })
  new Counter({
    name: 'ninefold_statements_reused_total',
    help: 'Times that what was built before was used again.',
    registers,
    collect() {
      this.reset()
      this.inc(keptStatements().reused)
    },
  })
}

/** One look at the database for all gauges of one answer; null while it does not answer. */
function sharedUntilRead(read: () => Promise<Backlog>): () => Promise<Backlog | null> {
  let reading: Promise<Backlog | null> | null = null
  return () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => {
        reading = null
      })
    return reading
  }
}

/** All processes see the same database, so that of what each says the most counts. */
function gaugesOfBacklog(backlog: () => Promise<Backlog | null>, registers: Registry[]): void {
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    values: (backlog: Backlog) => readonly (readonly [Readonly<Partial<Record<Label, string>>>, number])[],
  ) =>
    new Gauge<Label>({
      name,
      help,
      labelNames,
      aggregator: 'max',
      registers,
      async collect() {
        const found = await backlog()
        this.reset()
        if (found !== null) for (const [labels, value] of values(found)) this.set(labels, value)
      },
    })
  new Gauge({
    name: 'ninefold_database_up',
    help: '1 while the database answers.',
    aggregator: 'min',
    registers,
    async collect() {
      this.set((await backlog()) === null ? 0 : 1)
    },
  })
  const named = ({ kind, name }: Backlog['outbox'][number]) => ({ kind, name })
  gauge('ninefold_outbox_waiting', 'Mails and calls that wait to be delivered.', ['kind', 'name'], ({ outbox }) =>
    outbox.map(one => [named(one), one.waiting]),
  )
  gauge('ninefold_outbox_oldest_seconds', 'How long the oldest of them has waited.', ['kind', 'name'], ({ outbox }) =>
    outbox.map(one => [named(one), one.age]),
  )
  gauge('ninefold_outbox_failed', 'Mails and calls that were given up.', ['kind', 'name'], ({ outbox }) =>
    outbox.map(one => [named(one), one.failed]),
  )
  gauge(
    'ninefold_call_paused',
    '1 for calls that pause because they kept failing, and for the mail server (SMTP).',
    ['name'],
    ({ paused }) => paused.map(name => [{ name }, 1]),
  )
  gauge('ninefold_timers_due', 'Timers whose time has come and that have not fired.', [], ({ timers }) => [
    [{}, timers.due],
  ])
  gauge('ninefold_timers_failing', 'Those of them that failed at least once.', [], ({ timers }) => [
    [{}, timers.failed],
  ])
  gauge('ninefold_timers_late_seconds', 'How late the latest of them is.', [], ({ timers }) => [[{}, timers.late]])
  gauge('ninefold_tables_changing', '1 while `apply` changes the tables, or a backup keeps them.', [], ({ tables }) => [
    [{}, tables.changing ? 1 : 0],
  ])
  gauge('ninefold_document_applied_timestamp_seconds', 'When a document was applied last.', [], ({ tables }) => [
    [{}, tables.appliedAt],
  ])
  gauge('ninefold_jobs_open', 'Imports and steps for many records that are under way.', ['kind'], ({ jobs }) =>
    jobs.map(({ kind, open }) => [{ kind }, open]),
  )
}

/** What is measured in the process that has the address of several others. Null: it has none yet. */
export function measureFront(admission: () => Admission | null): Registry {
  const registry = new Registry()
  const told = (read: (admission: Admission) => number) => {
    const found = admission()
    return found === null ? 0 : read(found)
  }
  const gauge = (name: string, help: string, read: (admission: Admission) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(told(read))
      },
    })
  gauge('ninefold_admission_waiting', 'Connections that wait for a process with room.', ({ waiting }) => waiting)
  gauge('ninefold_processes_serving', 'Processes that serve.', ({ serving }) => serving)
  new Counter({
    name: 'ninefold_admission_refused_total',
    help: 'Requests that were asked to come again, because more came than can be answered.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(told(({ refused }) => refused))
    },
  })
  return registry
}

/** The figures of the process that started several, and of all of them together, as long as each of these says its own in time. */
export function figuresOfAll(own: Registry): () => Promise<string> {
  const all = new AggregatorRegistry()
  const whole = new Gauge({
    name: 'ninefold_figures_whole',
    help: '0 where a process that begins, or hangs, did not say its figures: then those of all of them are missing.',
    registers: [own],
  })
  return async () => {
    const together = await all.clusterMetrics().catch(() => null)
    whole.set(together === null ? 0 : 1)
    return `${(await own.metrics()).trimEnd()}\n${(together as string | null) ?? ''}`
  }
}

/** In one of several processes: hands its figures to the one that started it, whenever that asks. */
export function handOver(registry: Registry): void {
  if (!cluster.isWorker) return
  AggregatorRegistry.setRegistries(registry)
  new AggregatorRegistry()
}

/** The state of the server and of its fleet, read when it is asked for. */
import { sql } from 'drizzle-orm'
import { Counter, Gauge } from 'prom-client'
import { jobStates, taskStates } from '../../src/domain/columns/jobs.ts'
import { statusCodes, statuses, type StatusCode } from '../../src/domain/device.ts'
import type { Serving } from '../db/database.ts'
import type { DropCounter } from '../devices/gateway/rateLimit.ts'
import type { UnsyncedDevices } from '../devices/ingest/unsynced.ts'
import { gaugesOf } from './gauge.ts'
import type { Metrics } from './metrics.ts'

interface State {
  readonly database: Pick<Serving, 'db' | 'pool'>
  /** Returns the readings that wait to be stored; `undefined` for a server that receives none. */
  readonly pending: (() => number) | undefined
  readonly drops: DropCounter
  readonly unsynced: UnsyncedDevices
}

/** Milliseconds for which what was read in the database is used again: several Prometheus servers may ask. */
const maxAge = 10_000
/** Milliseconds to wait for the database, so that a frozen one does not hide all other measurements. */
const queryTimeout = 2_000

const unendedStates = jobStates.filter(state => state !== 'ended')

/** `Pump failure` → `pump_failure` */
const statusLabel = (code: StatusCode) => statuses[code].label.toLowerCase().replaceAll(' ', '_')

// Not an interface, which no row of a query can be.
type FleetState = {
  readonly statuses: Readonly<Record<string, number>>
  readonly alarms: Readonly<Record<string, number>>
  readonly bytes: number
  /** Pending mails, the age of the oldest in seconds, and mails that the server no longer tries to send. */
  readonly queued: number
  readonly oldest: number
  readonly given_up: number
  /** Jobs that have not ended, and tasks of these and of those of the last day, by state. */
  readonly jobs: Readonly<Record<string, number>>
  readonly tasks: Readonly<Record<string, number>>
  /** Tasks of jobs that are due and not sent, and for how many seconds the first of them has been. */
  readonly due: number
  readonly lag: number
}

/** Adds the gauges of the state. */
export function measureState({ registry }: Metrics, { database, pending, drops, unsynced }: State): void {
  const registers = [registry]
  const gauge = gaugesOf(registry)
  if (pending) gauge('permeate_ingest_pending_readings', 'Readings that wait to be stored', pending)
  gauge('permeate_devices_unsynced', 'Devices whose latest values are not in the lists yet', () => unsynced.size)
  const { pool } = database
  if (pool !== undefined) {
    gauge('permeate_database_connections', 'Connections of this server to the database', () => pool.totalCount)
    gauge('permeate_database_connections_idle', 'Connections that no query uses', () => pool.idleCount)
    gauge('permeate_database_connections_max', 'Connections that this server may open', () => pool.options.max)
    gauge('permeate_database_waiting', 'Queries that wait for a connection', () => pool.waitingCount)
  }
  new Counter({
    name: 'permeate_dropped_total',
    help: 'Messages and readings of devices that were dropped, and their refused sign-ins, by reason',
    labelNames: ['reason'] as const,
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(drops.totals()))
        this.inc({ reason: reason.replaceAll(' ', '_') }, count)
    },
  })
  measureFleet(registers, openReader(database))
}

/** Adds the gauges that are read in the database; all of them come from one reading. */
function measureFleet(registers: Metrics['registry'][], read: () => Promise<FleetState | undefined>): void {
  const labelled = (
    name: string,
    help: string,
    label: string,
    values: (state: FleetState) => Readonly<Record<string, number>>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      async collect() {
        const state = await read()
        this.reset()
        if (state) for (const [value, count] of Object.entries(values(state))) this.set({ [label]: value }, count)
      },
    })
  const single = (name: string, help: string, value: (state: FleetState) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const state = await read()
        if (state) this.set(value(state))
        else this.remove()
      },
    })
  labelled('permeate_devices', 'Devices of the whole fleet by status', 'status', ({ statuses: all }) => all)
  labelled('permeate_alarms_active', 'Conditions of devices that hold now, by type', 'type', ({ alarms }) => alarms)
  single('permeate_mails_queued', 'Mails that wait to be sent, also for another attempt', state => state.queued)
  single('permeate_mails_oldest_age_seconds', 'Age of the oldest mail that waits; 0 without one', state => state.oldest)
  single('permeate_mails_given_up', 'Mails of the last 30 days that failed for 24 hours', state => state.given_up)
  labelled('permeate_jobs', 'Jobs that have not ended, by state', 'state', ({ jobs }) => jobs)
  labelled(
    'permeate_job_tasks',
    'Tasks of the jobs that have not ended or ended within a day, by state',
    'state',
    ({ tasks }) => tasks,
  )
  single('permeate_job_tasks_due', 'Tasks of jobs that are due and not sent yet', state => state.due)
  single(
    'permeate_job_tasks_lag_seconds',
    'For how long the first task has been due; 0 without one',
    state => state.lag,
  )
  single('permeate_database_bytes', 'Size of the database', state => state.bytes)
  new Gauge({
    name: 'permeate_database_up',
    help: 'Whether the database answers in two seconds',
    registers,
    async collect() {
      this.set((await read()) === undefined ? 0 : 1)
    },
  })
}

/** Returns a function that reads the state, or returns `undefined` if the database does not answer in time. */
function openReader({ db }: Pick<Serving, 'db'>): () => Promise<FleetState | undefined> {
  const query = async (): Promise<FleetState> => {
    const { rows } = await db.execute<FleetState>(sql`
      select (select coalesce(json_object_agg(status, n), '{}') from
          (select status, count(*) as n from device_values group by status) as found) as statuses,
        (select coalesce(json_object_agg(type, n), '{}') from
          (select type, count(*) as n from device_alarms group by type) as found) as alarms,
        (select coalesce(json_object_agg(state, n), '{}') from
          (select state, count(*) as n from jobs where state <> 'ended' group by state) as found) as jobs,
        pg_database_size(current_database())::float8 as bytes, mails.*, recent.tasks, due.*
      from (select
        count(*) filter (where gave_up_at is null)::integer as queued,
        coalesce(extract(epoch from now() - min(queued_at) filter (where gave_up_at is null)), 0)::float8 as oldest,
        count(gave_up_at)::integer as given_up
        from queued_mails) as mails,
        (select json_build_object(${sql.join(
          taskStates.map(state => sql`${state}::text, coalesce(sum(${sql.identifier(state)}), 0)`),
          sql`, `,
        )}) as tasks
        from jobs where state <> 'ended' or ended_at > now() - interval '1 day') as recent,
        (select count(*)::integer as due, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as lag
        from job_tasks where due_at <= now() and state = 'queued') as due`)
    const { statuses: found, jobs, ...state } = rows[0]!
    return {
      ...state,
      jobs: Object.fromEntries(unendedStates.map(each => [each, jobs[each] ?? 0])),
      statuses: Object.fromEntries(statusCodes.map(code => [statusLabel(code), found[code] ?? 0])),
    }
  }
  let running: Promise<FleetState | undefined> | undefined
  let last: { readonly state: FleetState; readonly at: number } | undefined
  return async () => {
    if (last && performance.now() - last.at < maxAge) return last.state
    // One query at a time: those of a frozen database must not use up its connections.
    running ??= query()
      .then(state => {
        last = { state, at: performance.now() }
        return state
      })
      .catch(() => undefined)
      .finally(() => (running = undefined))
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<undefined>(resolve => {
      timer = setTimeout(() => resolve(undefined), queryTimeout)
    })
    return Promise.race([running, timeout]).finally(() => clearTimeout(timer))
  }
}

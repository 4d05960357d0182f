/** Jobs: one command on many devices, which the server carries out. Each device has one task in one state. */
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { JobKind, JobTarget } from '../../../src/api/contract/jobs.ts'
import type { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import type { JobState, TaskState } from '../../../src/domain/columns/jobs.ts'
import { bytewise, time } from './columns.ts'

export const jobs = pgTable(
  'jobs',
  {
    /** In the order of creation (`newOrderedId`): the jobs of a device run in this order. */
    id: bytewise().primaryKey(),
    /** The job that this one retries, undoes or repeats. */
    parent_id: bytewise(),
    /** `call`: a call on many devices, which sends its commands itself. */
    kind: text().$type<JobKind>(),
    /** No foreign key: a job outlives the account that created it. */
    account_id: text().notNull(),
    login: text().notNull(),
    /** The vendor whose devices the job may reach; null for all devices. */
    vendor_id: text(),
    command: text().notNull(),
    input: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    /** The number of its tasks. */
    total: integer().notNull(),
    target: jsonb().$type<JobTarget>().notNull(),
    policy: jsonb().$type<JobPolicy>().notNull(),
    state: text().$type<JobState>().notNull(),
    /** Why the job is paused, or was cancelled by the server; null otherwise. */
    reason: text(),
    /** The tasks in each state, kept by a trigger: they add up to the total. */
    queued: integer().notNull().default(0),
    sent: integer().notNull().default(0),
    waiting: integer().notNull().default(0),
    done: integer().notNull().default(0),
    refused: integer().notNull().default(0),
    unanswered: integer().notNull().default(0),
    skipped: integer().notNull().default(0),
    expired: integer().notNull().default(0),
    cancelled: integer().notNull().default(0),
    /** The waves, and the newest one that has begun; -1 before the first. */
    waves: smallint().notNull(),
    wave: smallint().notNull().default(-1),
    /** The tasks of the newest wave that are queued or sent, that have been answered, and that have failed. */
    wave_open: integer().notNull().default(0),
    wave_ended: integer().notNull().default(0),
    wave_failed: integer().notNull().default(0),
    /** When the newest wave began, and when the next one begins; null if that is not known yet. */
    wave_at: time(),
    next_wave_at: time(),
    /** With a rate: from when the next task may be sent; null before the first. */
    next_turn_at: time(),
    /** Until when devices that come to match the search get a task; null for a search that is frozen. */
    open_until: time(),
    /** When the next look for such devices is due. */
    next_look_at: time(),
    /** For a call: the time by which its server must renew the lease, or it counts as killed. */
    lease_until: time(),
    created_at: time().notNull(),
    /** When the job begins; of a repeating one, when the next job begins. */
    start_at: time().notNull(),
    ended_at: time(),
  },
  table => [
    index('jobs_active')
      .on(table.id)
      .where(sql`${table.state} <> 'ended'`),
    index('jobs_of_vendor').on(table.vendor_id, table.id),
    index('jobs_age').on(table.created_at),
    index('jobs_ended').on(table.ended_at),
  ],
)

export type JobRow = typeof jobs.$inferSelect

/** The ids that a repeating job was created for: each job that it creates has tasks for them. */
export const jobIds = pgTable('job_ids', {
  job_id: bytewise()
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  bssids: text().array().notNull(),
})

export const jobTasks = pgTable(
  'job_tasks',
  {
    job_id: bytewise()
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** No foreign key: the task says what became of a device that was deleted since. */
    bssid: bytewise().notNull(),
    /** Whose the device was when the task was created: that vendor sees the task, also of an administrator's job. */
    device_vendor_id: text(),
    wave: smallint().notNull(),
    state: text().$type<TaskState>().notNull().default('queued'),
    /** Why the device did not do it; null otherwise. */
    reason: text(),
    /** How many times the command was sent. */
    attempts: smallint().notNull().default(0),
    /**
     * When a queued task may be sent, from when another server may send a sent one again, and when a waiting one expires;
     * null for one that has ended, is paused, or whose wave has not begun.
     */
    due_at: time(),
    /** Until when it waits for its device, from the first time that it had to; null before. */
    waits_until: time(),
    /** The input of this device, if it differs from the job's. */
    input: jsonb().$type<Readonly<Record<string, unknown>>>(),
    /** The values that the command replaced, by its fields; null if they cannot be restored. */
    before: jsonb().$type<Readonly<Record<string, unknown>>>(),
    /** The id of the command: the same each time it is sent, so that the device executes it once. */
    command_id: text(),
    /**
     * When the device acknowledged an update of its firmware whose success is awaited: the task stays `sent`. `due_at` is then
     * when it is looked at next, `was_updating` whether the device has said since that it updates, and `online_since` from when
     * it has been online with the new version.
     */
    acknowledged_at: time(),
    was_updating: boolean().notNull().default(false),
    online_since: time(),
    sent_at: time(),
    ended_at: time(),
  },
  table => [
    primaryKey({ columns: [table.job_id, table.bssid] }),
    index('job_tasks_due')
      .on(table.due_at)
      .where(sql`${table.due_at} is not null`),
    index('job_tasks_of_device').on(table.bssid, table.job_id),
    index('job_tasks_list').on(table.job_id, table.state, table.bssid),
    index('job_tasks_reasons')
      .on(table.job_id, table.reason, table.bssid)
      .where(sql`${table.reason} is not null`),
    // A device does one task at a time.
    uniqueIndex('job_tasks_sent')
      .on(table.bssid)
      .where(sql`${table.state} = 'sent'`),
  ],
)

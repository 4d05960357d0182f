/** Which of the periodic tasks that only one process runs are due. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'

/** The share of a task's interval after which it is due: slightly early, because timers are not exact. */
const dueAfter = 0.9

/** Returns when a task was claimed last, milliseconds UTC; undefined before the first time. `every`: milliseconds. */
export async function lastRun(db: Database, task: string, every: number): Promise<number | undefined> {
  const { rows } = await db.execute<{ due_at: number }>(
    sql`select (extract(epoch from due_at) * 1000)::float8 as due_at from upkeep_tasks where task = ${task}`,
  )
  const dueAt = rows[0]?.due_at
  return dueAt === undefined ? undefined : dueAt - every * dueAfter
}

/** Claims the next run of a task; returns true in only one of several processes. `every`: milliseconds. */
export async function isDue(db: Database, task: string, now: Date, every: number): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`
  const next = new Date(now.getTime() + every * dueAfter).toISOString()
  // A due time beyond this was written by a process whose clock is wrong.
  const latestValid = new Date(now.getTime() + 2 * every).toISOString()
  const { rows } = await db.execute(sql`
    insert into upkeep_tasks as stored (task, due_at) values (${task}, ${next}::timestamptz)
    on conflict (task) do update set due_at = excluded.due_at
      where stored.due_at <= ${at} or stored.due_at > ${latestValid}::timestamptz
    returning task`)
  return rows.length > 0
}

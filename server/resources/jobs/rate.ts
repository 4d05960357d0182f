/** Keeps the rate of jobs: spreads tasks that became due together, such as when many devices come back online at once. */
import { and, eq, sql } from 'drizzle-orm'
import { isoOf, msPerMinute, msPerSecond } from '../../../src/domain/time.ts'
import type { Database } from '../../db/database.ts'
import { jobs, jobTasks } from '../../db/schema/jobs.ts'
import { moveTasks, unsent, type ClaimedTask, type Move } from './taskStore.ts'

/** Milliseconds by which a server may be late without slowing a job down: what it missed is sent at once. */
const catchUpTime = msPerSecond

/** Returns the milliseconds between two tasks of a rate, in tasks a minute. */
export const intervalOf = (rate: number): number => msPerMinute / rate

const hasRate = ({ policy, state, isTakeover }: ClaimedTask): boolean =>
  policy.rate !== undefined && state === 'running' && !isTakeover

/** Returns those of the claimed tasks whose turn it is by the rate of their job; the others are queued for later. */
export async function withinRate(db: Database, claimed: readonly ClaimedTask[], now: Date): Promise<ClaimedTask[]> {
  const late: Move[] = []
  for (const [id, tasks] of Map.groupBy(claimed.filter(hasRate), ({ job_id }) => job_id)) {
    const interval = intervalOf(tasks[0]!.policy.rate!)
    const { turns, nextTurn } = await takeTurns(db, { id, count: tasks.length, interval }, now)
    const excess = tasks.slice(turns)
    if (excess.length === 0) continue
    // Before its next turn a task would only be claimed again, and put off again.
    const free = Math.max(nextTurn, await freeAt(db, { id, interval }, now))
    for (const [index, task] of excess.entries())
      late.push({ ...unsent(task), state: 'queued', reason: null, due_at: isoOf(free + index * interval) })
  }
  await moveTasks(db, late, now)
  const ids = new Set(late.map(({ command_id }) => command_id))
  return claimed.filter(({ command_id }) => !ids.has(command_id))
}

interface Rated {
  readonly id: string
  /** Milliseconds between two tasks. */
  readonly interval: number
}

/**
 * Takes as many turns of a job as have come, at most `count`. Returns how many, and when the next one comes (milliseconds UTC);
 * servers take turns one after the other.
 */
async function takeTurns(
  db: Database,
  { id, count, interval }: Rated & { readonly count: number },
  now: Date,
): Promise<{ turns: number; nextTurn: number }> {
  const at = sql`${now.toISOString()}::timestamptz`
  const milliseconds = (amount: number) => sql`${amount}::float8 * interval '1 millisecond'`
  const { rows } = await db.execute<{ turns: number; next_turn: number }>(sql`
    update ${jobs} set next_turn_at = next.from_at + next.turns * ${milliseconds(interval)}
    from (select from_at, case when from_at > ${at} then 0
        else least(${count}, floor(extract(epoch from ${at} - from_at) * 1000 / ${interval}::float8)::integer + 1) end as turns
      from (select greatest(coalesce(next_turn_at, ${at}), ${at} - ${milliseconds(catchUpTime)}) as from_at
        from jobs where id = ${id} for update) as known) as next
    where ${jobs.id} = ${id}
    returning next.turns, (extract(epoch from next_turn_at) * 1000)::float8 as next_turn`)
  const [row] = rows
  return { turns: row?.turns ?? count, nextTurn: row?.next_turn ?? now.getTime() }
}

/**
 * Returns from when a job may send to further devices, milliseconds UTC: after its queued tasks, but not later than these take by the
 * rate, because some may be due on a later day by their window.
 */
export async function freeAt(db: Database, { id, interval }: Rated, now: Date): Promise<number> {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::integer`,
      last: sql<Date | null>`max(${jobTasks.due_at})`.mapWith(jobTasks.due_at),
    })
    .from(jobTasks)
    .where(and(eq(jobTasks.job_id, id), eq(jobTasks.state, 'queued')))
  const last = row?.last?.getTime() ?? 0
  const count = row?.count ?? 0
  return Math.min(Math.max(now.getTime(), last + interval), now.getTime() + (count + 1) * interval)
}

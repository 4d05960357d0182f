/**
 * Since when devices have been heard without a long interruption, for the silence of devices. Gateways note it in the
 * database, so that it outlives them and the workers.
 */
import { eq } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { upkeepTasks } from '../../db/schema/telemetry.ts'
import { msPerHour, msPerSecond } from '../../../src/domain/time.ts'

/**
 * Milliseconds for which no gateway may receive messages before silence counts anew. Devices are silent after three reports, at
 * least 90 s, and miss at most one of these meanwhile, or have as long to be heard afterwards.
 */
export const maxInterruption = 90 * msPerSecond

/** Milliseconds by which the clocks of gateways may differ; a time further ahead was written by one whose clock was wrong. */
const maxAhead = msPerHour

/** The rows of `upkeep_tasks` whose `due_at` is the time. */
const sinceTask = 'listening since'
const untilTask = 'listening until'

/**
 * Notes that a gateway receives messages at a time, and whether it can store them: if not, devices that are connected to it
 * seem silent, although other gateways may hear theirs.
 */
export async function noteListening(db: Database, now: Date, canStore: boolean): Promise<void> {
  await db.transaction(async tx => {
    const [last] = await tx.select().from(upkeepTasks).where(eq(upkeepTasks.task, untilTask)).for('update')
    const ahead = last ? last.due_at.getTime() - now.getTime() : -Infinity
    const isContinued = ahead >= -maxInterruption && ahead <= maxAhead
    if (!canStore || !isContinued) await write(tx, sinceTask, now)
    if (canStore && !(isContinued && ahead > 0)) await write(tx, untilTask, now)
  })
}

async function write(tx: Database, task: string, due_at: Date): Promise<void> {
  await tx
    .insert(upkeepTasks)
    .values({ task, due_at })
    .onConflictDoUpdate({ target: upkeepTasks.task, set: { due_at } })
}

/** Returns since when gateways have received messages without a long interruption, milliseconds UTC; `undefined` if none has said so. */
export async function listeningSince(db: Database): Promise<number | undefined> {
  const [since] = await db.select().from(upkeepTasks).where(eq(upkeepTasks.task, sinceTask))
  return since?.due_at.getTime()
}

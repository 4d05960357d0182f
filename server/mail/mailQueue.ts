/**
 * The queue of mails. A mail is queued in the transaction of what it reports, and sent by whichever server takes it first.
 * It is sent at least once: if the server dies between sending it and deleting its row, it is sent again.
 */
import { and, eq, inArray, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/database.ts'
import type { DatabaseState } from '../db/state.ts'
import { newId } from '../db/id.ts'
import { queuedMails } from '../db/schema/queuedMails.ts'
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from '../../src/domain/time.ts'
import type { Mail } from './mail.ts'
import type { MailMessage } from './messages.ts'

type QueuedMail = typeof queuedMails.$inferSelect

interface ComposedMail {
  readonly to: string
  readonly message: MailMessage
}
/** Composes a mail within the transaction that takes it from the queue; `undefined` if nobody gets it. */
export type Compose = (db: Database, mail: Pick<QueuedMail, 'kind' | 'account_id'>) => Promise<ComposedMail | undefined>

export interface MailQueue {
  /** Sends queued mails soon. To be called after the transaction that queued one; other servers look by themselves. */
  wake(): void
  /** Sends the mails that are due. Resolves once each has been tried; never rejects. */
  sendDue(): Promise<void>
  /** Waits for the mails that are being sent, and stops. */
  close(): Promise<void>
}

/** Milliseconds between two looks for mails that other servers have queued, or whose next attempt is due. */
const defaultInterval = 5 * msPerSecond
/** Milliseconds, enough to send the response first, so that its time does not depend on the mail. */
const wakeDelay = 50
/** Mails that a server sends at once. */
const batchSize = 5
/** Milliseconds for which a mail belongs to a server: longer than the time-outs of an SMTP connection. */
const lease = 2 * msPerMinute
/** Milliseconds before the second attempt, by which factor each pause is longer than the one before, and the longest. */
const firstPause = 10 * msPerSecond
const pauseFactor = 3
const maxPause = msPerHour
/** Milliseconds after which a mail is given up, and for which it is kept then. */
const giveUpAfter = msPerDay
const keptFor = 30 * msPerDay
const maxErrorLength = 500

/** Queues a mail; without an account nobody gets it. To be followed by `wake`, after the transaction. */
export async function queueMail(db: Database, mail: Pick<QueuedMail, 'kind' | 'account_id'>, now: Date): Promise<void> {
  await db.insert(queuedMails).values({ ...mail, id: newId(), queued_at: now, due_at: now })
}

interface Options {
  readonly db: Database
  readonly database: DatabaseState
  readonly mail: Mail
  readonly compose: Compose
  readonly log: Log
  readonly now: () => Date
  /** Milliseconds between two looks; overridden in tests. */
  readonly interval?: number
}

export function openMailQueue(options: Options): MailQueue {
  const { db, database, mail, compose, log, now, interval = defaultInterval } = options
  let closing = false
  let isFailing = false
  let lastWork = Promise.resolve()
  /** Runs of `work` that have not ended. */
  let unfinished = 0

  /** Takes the next mails that are due. Their tokens are stored with their lease, before they are sent. */
  const takeDue = () =>
    db.transaction(async tx => {
      const at = now()
      const due = await tx
        .select({ id: queuedMails.id })
        .from(queuedMails)
        .where(and(lte(queuedMails.due_at, at), isNull(queuedMails.gave_up_at)))
        .orderBy(queuedMails.due_at)
        .limit(batchSize)
        .for('update', { skipLocked: true })
      const taken = await tx
        .update(queuedMails)
        .set({ attempts: sql`${queuedMails.attempts} + 1`, due_at: new Date(at.getTime() + lease) })
        .where(
          inArray(
            queuedMails.id,
            due.map(({ id }) => id),
          ),
        )
        .returning()
      const composed: { readonly queued: QueuedMail; readonly content: ComposedMail }[] = []
      for (const queued of taken) {
        const content = await compose(tx, queued)
        if (content) composed.push({ queued, content })
        else await remove(tx, queued)
      }
      return { count: taken.length, composed }
    })
  const remove = (on: Database, { id }: QueuedMail) => on.delete(queuedMails).where(eq(queuedMails.id, id))

  const send = async (queued: QueuedMail, { to, message }: ComposedMail) => {
    try {
      await mail.send(to, message)
    } catch (error) {
      return postpone(queued, error)
    }
    await remove(db, queued)
  }
  const postpone = async ({ id, kind, attempts, queued_at }: QueuedMail, error: unknown) => {
    const at = now()
    const isLast = at.getTime() - queued_at.getTime() >= giveUpAfter
    const pause = pauseAfter(attempts)
    log.error(
      isLast
        ? `Gave up on a ${kind} mail after 24 hours`
        : `Could not send a ${kind} mail, the next attempt is in ${pause / msPerSecond} seconds`,
      error,
    )
    const text = (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength)
    const next = isLast ? { gave_up_at: at } : { due_at: new Date(at.getTime() + pause) }
    await db
      .update(queuedMails)
      .set({ error: text, ...next })
      .where(eq(queuedMails.id, id))
  }

  const work = async () => {
    // What was sent could not be removed from the queue, so it would be sent again.
    if (database.isFull) return
    try {
      for (let hasMore = true; hasMore && !closing;) {
        const { count, composed } = await takeDue()
        const outcomes = await Promise.allSettled(composed.map(({ queued, content }) => send(queued, content)))
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
        hasMore = count === batchSize
      }
      isFailing = false
    } catch (error) {
      // The mails stay queued, so they are tried again once their leases have ended.
      if (!isFailing) log.error('Could not read or update the queue of mails', error)
      isFailing = true
    }
  }
  let woken: NodeJS.Timeout | undefined
  const sendDue = () => {
    clearTimeout(woken)
    woken = undefined
    unfinished++
    return (lastWork = lastWork.then(work).finally(() => unfinished--))
  }
  const timer = setInterval(() => {
    // While the database or a mail server does not answer, runs must not pile up.
    if (unfinished === 0) void sendDue()
  }, interval).unref()
  // Mails that a killed server had claimed.
  void sendDue()

  return {
    wake: () => {
      woken ??= setTimeout(() => void sendDue(), wakeDelay).unref()
    },
    sendDue,
    close: () => {
      closing = true
      clearInterval(timer)
      clearTimeout(woken)
      return lastWork
    },
  }
}

/** Returns the milliseconds between an attempt, counted from one, and the next. */
const pauseAfter = (attempt: number) => Math.min(firstPause * pauseFactor ** (attempt - 1), maxPause)

/** Deletes mails that were given up and have been kept long enough. */
export async function pruneQueuedMails(db: Database, now: Date): Promise<void> {
  await db.delete(queuedMails).where(lt(queuedMails.gave_up_at, new Date(now.getTime() - keptFor)))
}

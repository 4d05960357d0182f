/** Confirmation mails of the demo. */
import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { queueMail } from '../mail/mailQueue.ts'

/** Queues confirmation mails for end users with unconfirmed addresses, so that the demo can show them. */
export async function queueDemoConfirmations(db: Database, now: Date): Promise<void> {
  const unconfirmed = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.role, 'user'), eq(accounts.email_confirmed, false)))
  for (const { id } of unconfirmed) await queueMail(db, { kind: 'confirmation', account_id: id }, now)
}

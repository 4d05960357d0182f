/** Confirmation mails of the demo. */
import { and, eq } from 'drizzle-orm'
import { sendConfirmation } from '../auth/confirmation.ts'
import { accounts } from '../db/schema/accounts.ts'
import type { Services } from '../endpoints/handler.ts'

/** Mails confirmation links to end users with unconfirmed addresses, so that the demo can show them. */
export async function sendDemoConfirmations(services: Pick<Services, 'db' | 'mail' | 'config' | 'now'>): Promise<void> {
  const unconfirmed = await services.db
    .select()
    .from(accounts)
    .where(and(eq(accounts.role, 'user'), eq(accounts.email_confirmed, false)))
  for (const account of unconfirmed) await sendConfirmation(services, account)
}

/** The mails that the demo's people would have got. */
import { and, eq } from 'drizzle-orm'
import { sendConfirmation } from '../auth/confirmation.ts'
import { accounts } from '../db/schema/accounts.ts'
import type { Services } from '../endpoints/handler.ts'

/** Mails the confirmation link to those who have not confirmed their address, so that the demo can show it. */
export async function mailDemoPeople(services: Pick<Services, 'db' | 'mail' | 'config' | 'now'>): Promise<void> {
  const unconfirmed = await services.db
    .select()
    .from(accounts)
    .where(and(eq(accounts.role, 'user'), eq(accounts.email_confirmed, false)))
  for (const account of unconfirmed) await sendConfirmation(services, account)
}

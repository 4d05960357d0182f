import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { demoId } from './random.ts'

/** Returns when the demo was created, milliseconds UTC; its history ends at this time. Undefined without a demo. */
export async function seededAt(db: Database): Promise<number | undefined> {
  const [admin] = await db
    .select({ at: accounts.created_at })
    .from(accounts)
    .where(eq(accounts.id, demoId('account admin')))
  return admin?.at.getTime()
}

/** Rows that tests make calls on. */
import { asc, eq, sql } from 'drizzle-orm'
import type { AccountRole } from '../../../src/domain/roles.ts'
import type { Database } from '../../../server/db/database.ts'
import { newId } from '../../../server/db/id.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { apiKeys } from '../../../server/db/schema/apiKeys.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { healthFindings } from '../../../server/db/schema/health.ts'
import { eventDevices, events } from '../../../server/db/schema/events.ts'
import { passkeys } from '../../../server/db/schema/secondFactors.ts'
import { sessions } from '../../../server/db/schema/sessions.ts'
import { createJob, tasksOfIds } from '../../../server/resources/jobs/create.ts'

/** Creates an account without sessions or dependent rows. */
export async function newAccount(
  db: Database,
  role: AccountRole,
  values: Partial<typeof accounts.$inferInsert> = {},
): Promise<string> {
  const id = newId()
  await db.insert(accounts).values({ id, role, login: `${id}@example.com`, password_hash: '', ...values })
  return id
}

/** Returns a vendor's first device. */
export const firstDevice = async (db: Database, vendor: string) => {
  const own = eq(devices.vendor_id, vendor)
  const [row] = await db.select({ id: devices.bssid }).from(devices).where(own).orderBy(asc(devices.bssid)).limit(1)
  return row!.id
}
/** Creates an event with these devices. */
export async function newEvent(
  db: Database,
  bssids: readonly string[],
  { id = newId(), ...values }: Partial<typeof events.$inferInsert> = {},
): Promise<string> {
  const at = new Date('2026-05-04T08:00:00Z')
  const usual = { title: 'Site visit', description: '', starts_at: at, ends_at: at, created_by: '', created_at: at }
  await db.insert(events).values({ id, ...usual, ...values })
  await db.insert(eventDevices).values(bssids.map(bssid => ({ event_id: id, bssid })))
  return id
}

/** Creates a session of an account, without tokens. */
export async function newSession(db: Database, account: string): Promise<string> {
  const id = newId()
  const now = new Date()
  await db
    .insert(sessions)
    .values({ id, account_id: account, created_at: now, expires_at: new Date(now.getTime() + 60_000) })
  return id
}

/** Creates a passkey of an account, with which nobody can sign. */
export async function newPasskey(db: Database, account: string): Promise<string> {
  const id = newId()
  const unusable = { credential_id: id, public_key: '', counter: 0, transports: [] }
  await db.insert(passkeys).values({ id, account_id: account, name: 'Key', created_at: new Date(), ...unusable })
  return id
}

/** Creates an API key of an account, which nobody has. */
export async function newKey(db: Database, account: string): Promise<string> {
  const id = newId()
  const now = new Date()
  const expires_at = new Date(now.getTime() + 60_000)
  await db
    .insert(apiKeys)
    .values({ id, account_id: account, name: 'Key', hash: id, scope: 'read', created_at: now, expires_at })
  return id
}

/** Creates a running job of a vendor on its first device. */
export async function newJob(db: Database, vendor: string): Promise<string> {
  const now = new Date()
  const caller = { account: vendor, login: 'vendor', role: 'vendor', vendor, session: '' } as const
  const tasks = tasksOfIds(caller, [await firstDevice(db, vendor)])
  const { id } = await createJob(db, { caller, command: 'flush', input: {}, policy: {}, tasks, emptyText: '' }, now)
  return id
}

/** Creates an open finding about a vendor's first device. */
export async function newFinding(
  db: Database,
  vendor: string,
  values: Partial<typeof healthFindings.$inferInsert> = {},
): Promise<string> {
  const id = newId()
  const bssid = values.bssid ?? (await firstDevice(db, vendor))
  const at = new Date()
  await db.insert(healthFindings).values({
    id,
    bssid,
    vendor_id: vendor,
    description: sql`(select ${devices.description} from ${devices} where ${devices.bssid} = ${bssid})`,
    number: 1 + (await db.$count(healthFindings, eq(healthFindings.bssid, bssid))),
    group: 'membrane',
    cause: 'fouling',
    severity: 'act',
    tempo: 'ramp',
    confidence: 0.86,
    claimed_cause: values.cause ?? 'fouling',
    claimed_confidence: 0.86,
    alternatives: [{ cause: 'scaling', confidence: 0.1 }],
    evidence: [
      {
        channel: 'a',
        value: -0.15,
        error: 0.02,
        unit: 'ln',
        baseline: -1.6,
        neighbours: { n: 6, median: -0.01 },
        days: 40,
        expected: [-0.15, -0.15],
      },
    ],
    size: 0.15,
    detected_at: at,
    told_at: at,
    began_early: at,
    began_at: at,
    began_late: at,
    updated_at: at,
    ...values,
  })
  return id
}

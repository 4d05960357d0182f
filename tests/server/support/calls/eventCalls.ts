/** Calls on events by demo accounts, and the devices of those accounts. */
import { asc, eq } from 'drizzle-orm'
import type { Event } from '../../../../src/api/contract/events.ts'
import { insertMany } from '../../../../server/db/bulk.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import type { TestServer } from '../harness.ts'

const usual = {
  title: 'Membrane replacement',
  description: 'Bring a TFC-75',
  start: '2031-05-05T08:00:00Z',
  end: '2031-05-05T10:00:00Z',
}

/** Returns event calls for a vendor (devices `own`, `mine` is the first) and another vendor (device `theirs`). */
export async function openCalendar({ call, db, signIn }: TestServer) {
  const token = {
    admin: (await signIn('admin')).access_token,
    vendor: (await signIn('vendor')).access_token,
    vendor2: (await signIn('vendor2')).access_token,
  }
  type By = keyof typeof token

  const devicesOf = async (login: string) => {
    const rows = await db
      .select({ bssid: devices.bssid })
      .from(devices)
      .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
      .where(eq(accounts.login, login))
      .orderBy(asc(devices.bssid))
    return rows.map(({ bssid }) => bssid)
  }
  const own = await devicesOf('vendor')
  const others = await devicesOf('vendor2')
  const [mine, theirs] = [own[0]!, others[0]!]

  async function create(by: By, values: Partial<Record<keyof typeof usual | 'devices', unknown>> = {}) {
    const answer = await call('POST', '/api/v3/events', {
      token: token[by],
      body: { ...usual, devices: [mine], ...values },
    })
    const { data, message } = answer.json<{ data?: { _id: string }; message?: unknown }>()
    return { status: answer.statusCode, id: data?._id ?? '', message }
  }
  async function list(by: By, from: string, to: string, of?: readonly string[]) {
    const query = new URLSearchParams({ from, to, ...(of && { devices: of.join(',') }) })
    const answer = await call('GET', `/api/v3/events?${query}`, { token: token[by] })
    const { data, message } = answer.json<{ data?: Event[]; message?: unknown }>()
    return { status: answer.statusCode, data: data ?? [], message }
  }
  const remove = async (by: By, id: string) =>
    (await call('DELETE', `/api/v3/events/${id}`, { token: token[by] })).statusCode
  /** Returns the event as the caller sees it. */
  const seen = async (by: By, id: string) =>
    (await list(by, '2031-01-01T00:00:00Z', '2031-12-31T00:00:00Z')).data.find(({ _id }) => _id === id)

  /** Creates `count` devices of the vendor whose BSSIDs begin with `prefix`. */
  async function manyDevices(prefix: string, count: number): Promise<string[]> {
    const bssids = Array.from({ length: count }, (_, at) => {
      const last = at.toString(16).toUpperCase().padStart(4, '0')
      return `${prefix}:${last.slice(0, 2)}:${last.slice(2)}`
    })
    const [one] = await db.select().from(devices).where(eq(devices.bssid, mine))
    const { model_id, vendor_id } = one!
    await insertMany(
      db,
      devices,
      bssids.map(bssid => ({ bssid, platform: 'esp32', model_id, vendor_id })),
    )
    return bssids
  }

  return { usual, token, own, mine, theirs, create, list, remove, seen, manyDevices }
}

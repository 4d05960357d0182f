/** The list of commands sent to a device. */
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { SentCommand } from '../../../../src/api/contract/sentCommands.ts'
import { newId } from '../../../../server/db/id.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { deviceCommands, type CommandState } from '../../../../server/db/schema/wire.ts'
import type { DeviceCommand } from '../../../../server/protocol/commands.ts'
import { startServer } from '../../support/harness.ts'

const { call, db, signIn } = await startServer()
const vendor = await signIn('vendor')
const [device, another] = await db.select().from(devices).where(eq(devices.vendor_id, vendor.user_id)).limit(2)
const { bssid } = device!

const list = async (query = '', of = bssid) => {
  const answer = await call('GET', `/api/v3/devices/${of}/commands${query}`, { token: vendor.access_token })
  return { status: answer.statusCode, data: answer.json<{ data?: SentCommand[] }>().data }
}
const at = (second: number) => new Date(Date.UTC(2026, 4, 4, 8, 0, second))
const sent = (
  command: DeviceCommand,
  second: number,
  ending: { state: CommandState; reason?: string },
  of = bssid,
) => ({
  id: newId(),
  bssid: of,
  command,
  created_at: at(second),
  expires_at: at(second + 10),
  ended_at: ending.state === 'sent' ? null : at(second + 1),
  ...ending,
})
const store = (commands: ReturnType<typeof sent>[]) => db.insert(deviceCommands).values(commands)

beforeEach(() => db.delete(deviceCommands))

test('lists commands newest first, each with its values, state and reason', async () => {
  const made = [
    sent({ type: 'flush' }, 1, { state: 'done' }),
    sent({ type: 'set_flush', settings: { smart: null, frequency: 20 } }, 2, { state: 'refused', reason: 'Busy' }),
    sent({ type: 'lock', locked: true }, 3, { state: 'unanswered', reason: 'Device did not answer' }),
    sent({ type: 'set_bypass', smart: 1 }, 4, { state: 'sent' }),
  ]
  await store([...made, sent({ type: 'reboot' }, 5, { state: 'done' }, another!.bssid)])
  const shown = (place: number, second: number, rest: Partial<SentCommand>) => ({
    _id: made[place]!.id,
    type: made[place]!.command.type,
    values: {},
    reason: null,
    created_at: at(second).toISOString(),
    ended_at: at(second + 1).toISOString(),
    ...rest,
  })
  expect((await list('', bssid.toLowerCase())).data).toEqual([
    shown(3, 4, { values: { smart: 1 }, state: 'sent', ended_at: null }),
    shown(2, 3, { values: { locked: true }, state: 'unanswered', reason: 'Device did not answer' }),
    shown(1, 2, { values: { smart: null, frequency: 20 }, state: 'refused', reason: 'Busy' }),
    shown(0, 1, { state: 'done' }),
  ])
})

test('lists 20 commands by default and 100 at most', async () => {
  await store(Array.from({ length: 110 }, (_, second) => sent({ type: 'flush' }, second, { state: 'done' })))
  expect((await list()).data).toHaveLength(20)
  const all = (await list('?limit=100')).data!
  expect(all).toHaveLength(100)
  expect(all[0]!.created_at).toBe(at(109).toISOString())
  expect((await list('?limit=101')).status).toBe(400)
  expect((await list('?limit=0')).status).toBe(400)
})

test('returns 404 for an absent or foreign device', async () => {
  const [foreign] = await db
    .select()
    .from(devices)
    .where(eq(devices.vendor_id, (await signIn('vendor2')).user_id))
  await store([sent({ type: 'flush' }, 1, { state: 'done' }, foreign!.bssid)])
  expect((await list('', foreign!.bssid)).status).toBe(404)
  expect((await list('', '00:00:00:00:00:00')).status).toBe(404)
})

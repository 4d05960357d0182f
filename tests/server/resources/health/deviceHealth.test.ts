/** The health of a device: what its changes are compared with. */
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { DeviceHealth } from '../../../../src/api/contract/health.ts'
import { deviceCartridges } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import { startServer } from '../../support/harness.ts'
import { stepDevices, storeDays } from '../../support/healthSamples.ts'
import { day } from '../../support/readingSamples.ts'

const { db, call, clock, signIn } = await startServer()
const admin = (await signIn('admin')).access_token
const now = new Date(Math.floor(clock.now().getTime() / day) * day + day / 2)
const today = Math.floor(now.getTime() / day)

test.each([
  { age: 400, isFirstSeen: true },
  { age: 35, isFirstSeen: false },
])(
  'a device with a membrane of $age days is compared with its first day, or with new',
  async ({ age, isFirstSeen }) => {
    const [fitted] = await db
      .select({ bssid: deviceCartridges.bssid, position: deviceCartridges.position })
      .from(deviceCartridges)
      .innerJoin(cartridgeTypes, eq(cartridgeTypes.id, deviceCartridges.cartridge_type_id))
      .where(eq(cartridgeTypes.type, 2))
      .limit(1)
      .offset(age === 400 ? 0 : 1)
    const { bssid, position } = fitted!
    await db
      .update(deviceCartridges)
      .set({ installed_at: new Date(now.getTime() - age * day) })
      .where(and(eq(deviceCartridges.bssid, bssid), eq(deviceCartridges.position, position)))
    await storeDays(db, bssid, { days: 30, today })
    await stepDevices(db, [bssid], now)
    const answer = await call('GET', `/api/v3/devices/${bssid}/health?zone=UTC`, { token: admin })
    const { first_seen } = answer.json<{ data: DeviceHealth }>().data
    expect(first_seen !== null).toBe(isFirstSeen)
    if (first_seen !== null) expect(Date.parse(first_seen)).toBeCloseTo((today - 30) * day, -8)
  },
)

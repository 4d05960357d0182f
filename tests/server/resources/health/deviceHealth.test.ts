/** The health of a device: what its changes are compared with. */
import { expect, test } from 'vitest'
import type { DeviceHealth } from '../../../../src/api/contract/health/device.ts'
import { startServer } from '../../support/harness.ts'
import { fittedMembrane, installMembrane, stepDevices, storeDays } from '../../support/healthSamples.ts'
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
    const membrane = await fittedMembrane(db, age === 400 ? 0 : 1)
    const { bssid } = membrane
    await installMembrane(db, membrane, new Date(now.getTime() - age * day))
    await storeDays(db, bssid, { days: 30, today })
    await stepDevices(db, [bssid], now)
    const answer = await call('GET', `/api/v3/devices/${bssid}/health?zone=UTC`, { token: admin })
    const { first_seen } = answer.json<{ data: DeviceHealth }>().data
    expect(first_seen !== null).toBe(isFirstSeen)
    if (first_seen !== null) expect(Date.parse(first_seen)).toBeCloseTo((today - 30) * day, -8)
  },
)

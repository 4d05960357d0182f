/** The temperature coefficients of membrane types, fitted to what their devices have shown in the seasons. */
import { eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import { deviceHealth, membraneFits } from '../../../../server/db/schema/health.ts'
import { fitMembranes } from '../../../../server/devices/health/fits.ts'
import { startServer } from '../../support/harness.ts'
import { noonOf, stepDevices, utcDay } from '../../support/health/healthSamples.ts'
import { seasonDevice, seasonSalt, seasonWater, storeSeasons } from '../../support/health/seasonSamples.ts'

const { db, clock } = await startServer()
const now = noonOf(clock.now())
const today = utcDay(now)

test('a type is fitted once thirty of its devices have seen the seasons, which then begin anew', async () => {
  const [type] = await db.select().from(cartridgeTypes).where(eq(cartridgeTypes.type, 2)).limit(1)
  const add = async (count: number) => {
    const bssids: string[] = []
    for (let index = 0; index < count; index++) {
      const bssid = await seasonDevice(db, type!.id)
      await storeSeasons(db, bssid, { today })
      bssids.push(bssid)
    }
    return bssids
  }
  // More than are read for a fit, and before the others by their ids: all that they have seen is spring.
  for (let index = 0; index < 125; index++) {
    const bssid = await seasonDevice(db, type!.id)
    if (index % 25 === 0) await storeSeasons(db, bssid, { to: 20, today })
  }
  const bssids = await add(29)
  expect(await fitMembranes(db, now)).toBe(0)
  bssids.push(...(await add(2)))
  for (let part = 0; part < 8; part++) await stepDevices(db, bssids, now)
  expect(await fitMembranes(db, now)).toBe(1)
  const [fit] = await db.select().from(membraneFits)
  expect(fit).toMatchObject({ cartridge_type_id: type!.id })
  expect(Math.abs(fit!.water_k - seasonWater)).toBeLessThan(60)
  expect(Math.abs(fit!.salt_k - seasonSalt)).toBeLessThan(60)
  const stored = await db.select().from(deviceHealth).where(inArray(deviceHealth.bssid, bssids))
  expect(stored.every(({ state }) => state === null)).toBe(true)
  expect(await fitMembranes(db, now)).toBe(0)
})

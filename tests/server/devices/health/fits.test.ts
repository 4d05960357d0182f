/** The temperature coefficients of membrane types, fitted to what their devices have shown in the seasons. */
import { eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deviceCartridges } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes } from '../../../../server/db/schema/filtration.ts'
import { deviceHealth, membraneFits } from '../../../../server/db/schema/health.ts'
import { fitMembranes } from '../../../../server/devices/health/fits.ts'
import { startServer } from '../../support/harness.ts'
import { stepDevices, storeDays } from '../../support/health/healthSamples.ts'
import { day, newDevice } from '../../support/devices/readingSamples.ts'

const { db, clock } = await startServer()
const now = new Date(Math.floor(clock.now().getTime() / day) * day + 12 * 3_600_000)
const today = now.getTime() / day - 0.5

/** °C over a year, and what membranes of the type do beside the usual coefficients, K. */
const season = (index: number) => 14 + 8 * Math.sin((2 * Math.PI * index) / 365)
const [water, salt] = [-400, 300]
const course = (index: number) => {
  const inverse = 1 / 298 - 1 / (273 + season(index))
  return { a: water * inverse - (0.09 * index) / 365, b: salt * inverse + (0.1 * index) / 365 }
}

test('a type is fitted once thirty of its devices have seen the seasons, which then begin anew', async () => {
  const [type] = await db.select().from(cartridgeTypes).where(eq(cartridgeTypes.type, 2)).limit(1)
  const add = async (count: number) => {
    const bssids: string[] = []
    for (let index = 0; index < count; index++) {
      const bssid = await newDevice(db)
      await db
        .insert(deviceCartridges)
        .values({ bssid, position: 0, cartridge_type_id: type!.id, installed_at: new Date(0) })
      await storeDays(db, bssid, { days: 300, today, course, temperature: season })
      bssids.push(bssid)
    }
    return bssids
  }
  const bssids = await add(29)
  expect(await fitMembranes(db, now)).toBe(0)
  bssids.push(...(await add(2)))
  for (let part = 0; part < 8; part++) await stepDevices(db, bssids, now)
  expect(await fitMembranes(db, now)).toBe(1)
  const [fit] = await db.select().from(membraneFits)
  expect(fit).toMatchObject({ cartridge_type_id: type!.id })
  expect(Math.abs(fit!.water_k - water)).toBeLessThan(60)
  expect(Math.abs(fit!.salt_k - salt)).toBeLessThan(60)
  const stored = await db.select().from(deviceHealth).where(inArray(deviceHealth.bssid, bssids))
  expect(stored.every(({ state }) => state === null)).toBe(true)
  expect(await fitMembranes(db, now)).toBe(0)
})

/** The charts screen as a person finds it, and devices that have something to chart. */
import { expect, type Page } from '@playwright/test'
import type { DeviceDetail } from '../../../src/api/contract/devices.ts'
import { newCredential, type Caller } from './api.ts'
import { palette } from './devices.ts'
import { connectDevice, type WireDevice } from './wireDevice.ts'

export const chart = (page: Page, name: string) => page.getByRole('application', { name: new RegExp(`^${name}`) })
export const chip = (page: Page, bssid: string) => page.getByRole('button', { name: `Lines of ${bssid}` })
export const atCursor = (page: Page) => page.getByRole('status', { name: 'At the cursor' })
export const numbers = (page: Page) => page.getByRole('table')
/** The tip beside the cursor, which is for the eye only. */
export const tip = (page: Page) => page.locator('[aria-hidden] table')

/** Waits until a chart is drawn as it is to be. */
export async function drawn(page: Page, name: string) {
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
  await expect(chart(page, name).locator('canvas').first()).toHaveAttribute('data-painted', /./)
}

export interface ReadingDevice {
  readonly bssid: string
  readonly device: WireDevice
}

/** Litres, ppm and bar that a device has read forty and three minutes before `now`. */
export async function readingDevice(
  admin: Caller,
  mqttPort: number,
  { pressure = 4, now = Date.now() } = {},
): Promise<ReadingDevice> {
  const credential = await newCredential(admin)
  const { bssid } = credential
  const device = await connectDevice(mqttPort, credential)
  const reading = (minutesAgo: number, feed: number, permeate: number) => ({
    at: new Date(now - minutesAgo * 60_000).toISOString(),
    feed,
    permeate,
    feed_flow: 1.2,
    permeate_flow: 0.4,
    feed_tds: 400,
    permeate_tds: 20,
    pressure,
    temperature: 15,
  })
  await device.read(reading(40, 60, 12), reading(3, 30, 18))
  await expect
    .poll(
      async () => (await statistics(admin, bssid, 'UTC', 'week')).filter(({ permeate }) => permeate !== null).length,
    )
    .toBeGreaterThan(0)
  return { bssid, device }
}

/** What the server itself answers. */
export async function statistics(admin: Caller, bssid: string, zone: string, range = 'day') {
  const query = new URLSearchParams({ range, zone }).toString()
  const { statistics: found } = (await admin.call('GET', `/api/v3/devices/${bssid}?${query}`)) as DeviceDetail
  return found.points
}

/** Goes to the charts and picks devices there, by keys. */
export async function chartThem(page: Page, bssids: readonly string[]) {
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  // A second between both keys is too long for a sequence: on a busy machine they are pressed once more.
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await expect(page).toHaveURL(/\/charts(\?|$)/, { timeout: 2000 })
  }).toPass({ timeout: 15_000 })
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  for (const bssid of bssids) {
    await page.keyboard.press('@')
    await expect(palette(page).getByRole('combobox')).toBeFocused()
    await page.keyboard.type(bssid)
    await expect(palette(page).getByRole('option', { name: new RegExp(`^${bssid}`) })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(chip(page, bssid)).toHaveAttribute('aria-pressed', 'true')
  }
}

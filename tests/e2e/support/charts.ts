/** Locators and actions for the charts screen, and devices with readings. */
import { expect, type Page } from '@playwright/test'
import type { DeviceDetail } from '../../../src/api/contract/devices.ts'
import { newCredential, type Caller } from './api.ts'
import { enterText, palette } from './devices.ts'
import { connectDevice, type WireDevice } from './wireDevice.ts'

export const chart = (page: Page, name: string) => page.getByRole('application', { name: new RegExp(`^${name}`) })
export const chip = (page: Page, bssid: string) => page.getByRole('button', { name: `Lines of ${bssid}` })
export const atCursor = (page: Page) => page.getByRole('status', { name: 'At the cursor' })
export const numbers = (page: Page) => page.getByRole('table')
/** The tooltip beside the cursor, which is hidden from screen readers. */
export const tip = (page: Page) => page.locator('[aria-hidden] table')

/** Waits until all charts are loaded and the named one has been painted. */
export async function expectDrawn(page: Page, name: string) {
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0)
  await expect(chart(page, name).locator('canvas').first()).toHaveAttribute('data-painted', /./)
}

export interface ReadingDevice {
  readonly bssid: string
  readonly device: WireDevice
}

/** Connects a new device that sends readings (litres, ppm, bar) of 40 and 3 minutes before `now`. */
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

/** Returns the points of a device's statistics from the API. */
export async function statistics(admin: Caller, bssid: string, zone: string, range = 'day') {
  const query = new URLSearchParams({ range, zone }).toString()
  const { statistics: result } = (await admin.call('GET', `/api/v3/devices/${bssid}?${query}`)) as DeviceDetail
  return result.points
}

/** Opens the charts and selects devices there, with the keyboard. */
export async function openCharts(page: Page, bssids: readonly string[]) {
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  // Retries both keys: on a busy machine they may be more than the second apart that a sequence allows.
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await expect(page).toHaveURL(/\/charts(\?|$)/, { timeout: 2000 })
  }).toPass({ timeout: 15_000 })
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  for (const bssid of bssids) {
    await page.keyboard.press('@')
    await expect(palette(page).getByRole('combobox')).toBeFocused()
    await enterText(page, bssid)
    await expect(palette(page).getByRole('option', { name: new RegExp(`^${bssid}`) })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(chip(page, bssid)).toHaveAttribute('aria-pressed', 'true')
  }
}

/** Units: chosen with the keyboard, and applied everywhere at once. */
import type { Page } from '@playwright/test'
import { callerFor, newCredential } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { countCalls, focusDevice, loaded, messages, panel } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { columnValues, openPalette, palette, submit, typeInto } from '../support/lists.ts'
import { connectDevice } from '../support/wireDevice.ts'

const units = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Units', exact: true })

/** Chooses a unit in the palette. */
async function choose(page: Page, quantity: string, unit: string) {
  await openPalette(page)
  await page.keyboard.insertText(`>${quantity} unit`)
  await expect(palette(page).getByRole('option').first()).toContainText(`Change ${quantity} unit`)
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('combobox', { name: 'Unit', exact: true })).toBeFocused()
  await page.keyboard.insertText(unit)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
}

test('a chosen unit applies to tables, panels, forms, the palette, a device’s screen and other tabs', async ({
  page,
  context,
  server,
}) => {
  // Checks many places, in two tabs.
  test.slow()
  const admin = await callerFor(server.url, 'admin')
  const credential = await newCredential(admin)
  const { bssid } = credential
  const device = await connectDevice(server.mqttPort(), credential)
  const rates = { feed_flow: 1.2, permeate_flow: 0.4, feed_tds: 342, permeate_tds: 20, pressure: 4, temperature: 20 }
  await device.read({ at: new Date().toISOString(), feed: 250, permeate: 100, ...rates })
  await signIn(page, 'admin')
  await loaded(page)
  const other = await context.newPage()
  await other.goto('/settings')
  await expect(units(other)).toContainText('l/min (follows volume)')
  await page.bringToFront()

  await focusDevice(page, bssid)
  await expect.poll(() => columnValues(page, 'Permeate (l)')).toEqual(['100.0'])
  await choose(page, 'volume', 'gal')
  await choose(page, 'temperature', '°F')
  await choose(page, 'pressure', 'psi')
  await choose(page, 'TDS', 'gpg')
  const shown = { 'Permeate (gal)': '26.4', 'Temp. (°F)': '68.0', 'Press. (psi)': '58.0', 'Feed TDS (gpg)': '20.0' }
  for (const [name, value] of Object.entries(shown))
    await expect.poll(() => columnValues(page, name), name).toEqual([value])
  await expect(panel(page)).toContainText('26.4 gal')

  // The form shows and takes gallons; the API call contains litres.
  const calls = countCalls(page, 'PUT', /settings\/flush$/)
  await panel(page).getByRole('tab', { name: 'Settings' }).focus()
  await page.keyboard.press('ArrowRight')
  const form = panel(page).getByRole('form', { name: /^Auto-flush/ })
  await typeInto(page, form.getByRole('textbox', { name: 'Volume (gal)' }), '0.5')
  await submit(page)
  await expect.poll(() => calls.length).toBe(1)
  expect(calls[0]!.body).toEqual({ ids: [bssid], volume: expect.closeTo(0.5 * 3.785411784, 9) })
  await expect(messages(page)).toContainText('Settings updated for 1 out of 1 devices')

  await page.goto(`/devices/${bssid}`)
  const main = page.getByRole('main')
  await expect(main.getByRole('list', { name: 'Measurements' })).toContainText('gal/min')
  await expect(main.getByRole('region', { name: 'Auto-flush' })).toContainText('0.5 gal')
  await expect(main.getByRole('region', { name: 'Device', exact: true })).toContainText('Lifetime permeate26.4 gal')

  // The other tab uses the new units too. The unit of flow follows that of volume; for gallons there are two.
  await expect(units(other).getByRole('radio', { name: 'gal', exact: true })).toBeChecked()
  await expect(units(other).getByRole('radio', { name: 'psi' })).toBeChecked()
  await other.bringToFront()
  await units(other).getByRole('radio', { name: 'gal/min' }).focus()
  await other.keyboard.press('ArrowRight')
  await expect(units(other)).toContainText(/e\.g\. 40\.6 fl oz\/min/)
  await expect(main.getByRole('list', { name: 'Measurements' })).toContainText('fl oz/min')
  // The rows of other keys would take most of the time.
  await other.getByRole('searchbox', { name: 'Search commands and keys' }).fill('flush')
  await check(other, 'settings in gallons')
  await choose(other, 'volume', 'l')
  await expect(units(other)).toContainText('l/min (follows volume)')
  await expect(main.getByRole('list', { name: 'Measurements' })).toContainText('l/min')
  await device.leave()
})

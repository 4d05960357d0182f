/** Incidents on the notifications screen: one line for devices that give the same notification together. */
import type { Page } from '@playwright/test'
import { firmware } from '../../../server/demo/catalogue.ts'
import { check } from '../support/axe.ts'
import { callerFor, newCredentials, newVendor, unique } from '../support/api.ts'
import { loaded, messages } from '../support/devices.ts'
import { expect, signIn, test, type WorkerServer } from '../support/fixtures.ts'
import { closeMessages } from '../support/lists.ts'
import { badge, focused, notes, openNotifications, password } from '../support/notifications.ts'
import { connectDevice, type WireDevice } from '../support/wireDevice.ts'

/** More than a page of notifications has. */
const count = 13
const platform = 'esp32'

/** Creates a vendor with connected devices on one water supply, on a model without other notifications. */
async function newVendorOnSupply(server: WorkerServer, water_supply: string) {
  const admin = await callerFor(server.url, 'admin')
  const { login, id } = await newVendor(admin, password)
  const model = unique('RO')
  await admin.call('POST', '/api/v3/devices/models', {
    name: model,
    platform,
    capabilities: ['flush'],
    bypass_flow_rates: [0, 0.1, 0.2, 0.4],
    vendors: [id],
  })
  const devices = new Map<string, WireDevice>()
  const first = { status: 0, firmware: firmware[platform]!.at(-1), report_interval: 86_400 }
  for (const credential of await newCredentials(admin, count + 1, {
    platform,
    model,
    vendor: login,
    description: 'Flat',
  }))
    devices.set(credential.bssid, await connectDevice(server.mqttPort(), credential, undefined, first))
  await admin.call('PUT', '/api/v3/devices/water-supply', { ids: [...devices.keys()], water_supply })
  return { login, devices }
}

const setFaults = async (devices: Iterable<WireDevice>, faults: readonly string[]) => {
  for (const device of devices) await device.state({ faults })
}
const line = (page: Page) => notes(page).filter({ hasText: 'No feed water: ' })

test('devices without feed water are one line, which opens, selects them all and follows what happens', async ({
  page,
  server,
}) => {
  test.slow()
  const { login, devices } = await newVendorOnSupply(server, 'Harbour main')
  const [last, ...others] = [...devices.values()]
  await setFaults(others, ['no_feed_water'])
  await signIn(page, login, password)
  await loaded(page)
  await expect(badge(page)).toHaveAccessibleName('Notifications 1 unseen notification')
  await openNotifications(page)
  await expect(notes(page)).toHaveCount(1)
  await expect(line(page)).toHaveAccessibleName(
    /^Unseen: No feed water: 13 devices on Harbour main, since \d.* Show its notifications/,
  )
  await expect(page.getByText('No more notifications.')).toBeVisible()

  await test.step('with the mouse, it is opened and closed, and its devices are selected', async () => {
    await line(page).getByRole('button', { name: 'Show its notifications' }).click()
    await expect(notes(page)).toHaveCount(count + 1)
    await line(page)
      .getByRole('button', { name: /^Hide its notifications/ })
      .click()
    await expect(notes(page)).toHaveCount(1)
    await line(page)
      .getByRole('button', { name: /^Select 13 devices/ })
      .click()
    await expect(messages(page)).toContainText('Selected 13 devices')
    await page.keyboard.press('Escape')
    await closeMessages(page)
  })

  // Enter opens the line, and the device of a notification under it.
  await page.keyboard.press('j')
  await expect(line(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(notes(page)).toHaveCount(count + 1)
  await expect(line(page).getByRole('button', { name: 'Hide its notifications' })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
  await check(page, 'an open incident')
  await page.keyboard.press('j')
  await expect(focused(page)).toHaveAttribute('aria-posinset', '1')
  await expect(focused(page)).toHaveAttribute('aria-setsize', String(count))
  await expect(focused(page)).toContainText('Flat')
  const bssid = await focused(page).getByRole('link').textContent()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/devices/${bssid}$`))
  await page.goBack()
  await expect(notes(page)).toHaveCount(count + 1)

  // One key selects all of its devices, also from one of them.
  await page.keyboard.press('Shift+A')
  await expect(messages(page)).toContainText('Selected 13 devices')
  await expect(page.getByRole('button', { name: 'Selected devices 13' })).toBeVisible()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(notes(page)).toHaveCount(1)

  // A further device joins the line, and the last one that has water again ends it.
  await last!.state({ faults: ['no_feed_water'] })
  await expect(line(page)).toContainText('No feed water: 14 devices on Harbour main, since')
  await setFaults(others.slice(1), [])
  await expect(line(page)).toContainText('2 of 14 remain')
  await setFaults([last!, others[0]!], [])
  await expect(line(page)).toContainText(/No feed water: 14 devices on Harbour main, (at \d|\d.* to )/)
  await expect(notes(page)).toHaveCount(1)
  for (const device of devices.values()) await device.leave()
})

/** New notifications while the screen is open: the scroll position is kept, and only those of own devices appear. */
import { notificationTypes } from '../../../src/domain/notifications/types.ts'
import { grid, loaded } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import {
  badge,
  feed,
  focused,
  loadedOf,
  notes,
  openNotifications,
  password,
  newNotifyingVendor,
} from '../support/notifications.ts'

test('new notifications appear at the top without moving the one being read, and loading more still works', async ({
  page,
  server,
}) => {
  test.slow()
  const { login, device, raise, raiseAllFaults, list } = await newNotifyingVendor(server)
  await raiseAllFaults(3)
  await signIn(page, login, password)
  await loaded(page)
  await openNotifications(page)
  await expect(loadedOf(page)).toHaveText(/^12 of 3\d$/)
  // At the top of the list, new ones appear directly.
  const before = await notes(page).first().getAttribute('data-id')
  await raise('leak')
  await expect(notes(page).first()).not.toHaveAttribute('data-id', before!)
  await expect(notes(page).first()).toContainText('Leak detected')
  await expect(feed(page).locator('..').getByRole('status')).toHaveText(/^\d new notifications?$/)

  await page.keyboard.press('m')
  await expect(loadedOf(page)).toHaveText(/^25 of 3\d$/)
  // On a narrow screen, heights differ and none equals the estimate.
  await page.setViewportSize({ width: 390, height: 844 })
  const read = notes(page).and(page.locator(`[data-id="${(await list())[8]!._id}"]`))
  await page.mouse.move(200, 450)
  await page.mouse.wheel(0, 620)
  await expect.poll(() => feed(page).evaluate(node => node.parentElement!.scrollTop)).toBeGreaterThan(500)
  await expect(read).toBeInViewport()
  const position = await read.boundingBox()
  await raise('pump_failure')
  await raise('no_feed_water')
  const pill = page.getByRole('button', { name: /^↑ [2-9] new/ })
  await expect(pill).toBeVisible()
  expect(Math.abs((await read.boundingBox())!.y - position!.y)).toBeLessThan(1)

  await page.keyboard.press('m')
  await expect(loadedOf(page)).toHaveText(/^3\d of 3\d$|No more notifications\./)
  expect(Math.abs((await read.boundingBox())!.y - position!.y)).toBeLessThan(1)
  await page.setViewportSize({ width: 1440, height: 900 })
  await pill.click()
  await expect(pill).toBeHidden()
  const newest = (await list())[0]!
  await expect(notes(page).first()).toHaveAttribute('data-id', newest._id)
  await expect(focused(page)).toHaveAttribute('data-id', newest._id)
  await expect(badge(page)).toHaveAccessibleName('Notifications')
  await device.leave()
})

test('a vendor is notified about own devices only, by a badge while on another screen', async ({ page, server }) => {
  const own = await newNotifyingVendor(server)
  const other = await newNotifyingVendor(server)
  await other.raiseAllFaults(1)
  await signIn(page, own.login, password)
  await loaded(page)
  await expect(badge(page)).not.toHaveAccessibleName(/[1-9]\d unseen/)
  await own.raise('leak')
  await expect(badge(page)).toHaveAccessibleName(/^Notifications [12] unseen notifications?$/)
  await page.keyboard.press('Control+b')
  await expect(badge(page)).toHaveAccessibleName(/^Notifications [12] unseen notifications?$/)
  await openNotifications(page)
  await expect(notes(page).filter({ hasText: 'Leak detected' })).toHaveCount(1)
  for (const note of await notes(page).all()) await expect(note).toContainText(own.bssid)
  await expect(badge(page)).toHaveAccessibleName('Notifications')
  await page.reload()
  await expect(notes(page).first()).toBeVisible()
  await expect(page.getByText('Unseen')).toHaveCount(0)
  await own.device.leave()
  await other.device.leave()
})

test('while a filter is set no notification is marked as seen, until all are shown', async ({ page, server }) => {
  const { login, bssid, device, raise } = await newNotifyingVendor(server)
  await signIn(page, login, password)
  await loaded(page)
  await openNotifications(page)
  await page.getByRole('button', { name: /^All types/ }).click()
  const filter = page.getByRole('dialog', { name: 'Types of notifications' })
  await filter.getByRole('button', { name: 'None' }).click()
  await filter.getByRole('checkbox', { name: 'Leak detected' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /^Devices/ }).click()
  await loaded(page)
  await grid(page)
    .getByRole('checkbox', { name: `Select ${bssid}` })
    .click()
  const seenCalls: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/v3/notifications/seen')) seenCalls.push(request.method())
  })
  await raise('pump_failure')
  await raise('leak')
  const unseen = /^Notifications [2-9] unseen notifications$/
  await expect(badge(page)).toHaveAccessibleName(unseen)

  await openNotifications(page)
  const leak = notes(page).filter({ hasText: 'Leak detected' })
  await expect(leak).toContainText('Unseen')
  await expect(notes(page)).toHaveCount(1)
  await page.keyboard.press('d')
  await expect(page.getByRole('button', { name: /selected devices/i })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: new RegExp(`^1 of ${notificationTypes.length} types`) }).click()
  await filter.getByRole('button', { name: 'All' }).click()
  await page.keyboard.press('Escape')
  const pump = notes(page).filter({ hasText: 'Pump' })
  await expect(pump).toContainText('Unseen')
  await expect(badge(page)).toHaveAccessibleName(unseen)
  expect(seenCalls).toEqual([])

  await page.keyboard.press('d')
  await expect(badge(page)).toHaveAccessibleName('Notifications')
  await expect(leak).toContainText('Unseen')
  await expect(pump).toContainText('Unseen')
  await device.leave()
})

/** A server that goes away and comes back, seen from three tabs: the list, a device in the panel, a screen on the way. */
import type { Page } from '@playwright/test'
import { callerFor, newDevices, unique } from '../support/api.ts'
import { focusDevice, loaded, messages, panel, selectedCount, shownDevices, statusBar } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { arrived } from '../support/lists.ts'

const connection = (page: Page) => page.getByRole('banner').getByRole('status')

test('all goes on by itself once it is back, and what changed meanwhile is read', async ({ page, context, server }) => {
  test.slow()
  const [bssid = ''] = await newDevices(await callerFor(server.url, 'admin'), 1)
  await signIn(page, 'admin')
  await loaded(page)
  const [beside, onTheWay] = [await context.newPage(), await context.newPage()]
  for (const tab of [beside, onTheWay]) {
    await tab.goto('/devices')
    await loaded(tab)
  }
  await focusDevice(beside, bssid)
  await expect(panel(beside)).toContainText('Made for a test')
  for (const tab of [page, beside, onTheWay]) await expect(connection(tab)).toHaveText('live')
  const before = await shownDevices(page)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await selectedCount(page, 1)

  await server.stop()
  await test.step('it shows; a command meanwhile says why it fails, and loses nothing', async () => {
    await page.keyboard.press(']')
    for (const tab of [page, beside]) await expect(connection(tab)).toHaveText('offline, trying again')
    await page.keyboard.press('l')
    await expect(messages(page)).toContainText('The server cannot be reached')
    await selectedCount(page, 1)
  })
  await test.step('a screen that is gone to is waited for', async () => {
    await onTheWay.keyboard.press('g')
    await onTheWay.keyboard.press('m')
    await expect(onTheWay).toHaveURL(/\/models(\?|$)/)
    await expect(connection(onTheWay)).toHaveText('offline, trying again')
    await expect(onTheWay.getByRole('navigation', { name: 'Main' })).toBeVisible()
  })

  await server.restart()
  await test.step('the page that was asked for comes', async () => {
    await expect(connection(page)).toHaveText('live', { timeout: 30_000 })
    await loaded(page)
    await expect(statusBar(page)).toContainText('page 2 of')
    const after = await shownDevices(page)
    expect(after).toHaveLength(20)
    expect(after.filter(id => before.includes(id))).toEqual([])
  })
  await test.step('so does the screen', () => arrived(onTheWay, 'models'))
  await test.step('what another changed is there', async () => {
    const text = unique('Meanwhile')
    const other = await callerFor(server.url, 'vendor')
    await other.call('PUT', `/api/v3/devices/${bssid}`, { description: text })
    await expect(connection(beside)).toHaveText('live', { timeout: 30_000 })
    await expect(panel(beside)).toContainText(text, { timeout: 8_000 })
  })
})

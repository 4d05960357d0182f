/** A server that stops and restarts, seen from three tabs: a list, a device in the panel, and a screen being opened. */
import type { Page } from '@playwright/test'
import { callerFor, newDevices, unique } from '../support/api.ts'
import { focusDevice, loaded, messages, panel, selectedCount, shownDevices, statusBar } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { expectScreen } from '../support/lists.ts'

const connection = (page: Page) => page.getByRole('banner').getByRole('status')

test('after a server restart, pending pages and screens load by themselves and live updates resume', async ({
  page,
  context,
  server,
}) => {
  test.slow()
  const [bssid = ''] = await newDevices(await callerFor(server.url, 'admin'), 1)
  await signIn(page, 'admin')
  await loaded(page)
  const [beside, opening] = [await context.newPage(), await context.newPage()]
  for (const tab of [beside, opening]) {
    await tab.goto('/devices')
    await loaded(tab)
  }
  await focusDevice(beside, bssid)
  await expect(panel(beside)).toContainText('Made for a test')
  for (const tab of [page, beside, opening]) await expect(connection(tab)).toHaveText('live')
  const before = await shownDevices(page)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await selectedCount(page, 1)

  await server.stop()
  await test.step('the console shows that it is offline; a command reports why it fails, and the selection stays', async () => {
    await page.keyboard.press(']')
    for (const tab of [page, beside]) await expect(connection(tab)).toHaveText('offline, trying again')
    await page.keyboard.press('l')
    await expect(messages(page)).toContainText('The server cannot be reached')
    await selectedCount(page, 1)
  })
  await test.step('a screen opened while offline waits', async () => {
    await opening.keyboard.press('g')
    await opening.keyboard.press('m')
    await expect(opening).toHaveURL(/\/models(\?|$)/)
    await expect(connection(opening)).toHaveText('offline, trying again')
    await expect(opening.getByRole('navigation', { name: 'Main' })).toBeVisible()
  })

  await server.restart()
  await test.step('the requested page loads', async () => {
    await expect(connection(page)).toHaveText('live', { timeout: 30_000 })
    await loaded(page)
    await expect(statusBar(page)).toContainText('page 2 of')
    const after = await shownDevices(page)
    expect(after).toHaveLength(20)
    expect(after.filter(id => before.includes(id))).toEqual([])
  })
  await test.step('the opened screen loads', () => expectScreen(opening, 'models'))
  await test.step('a change by another person appears', async () => {
    const text = unique('Meanwhile')
    const other = await callerFor(server.url, 'vendor')
    await other.call('PUT', `/api/v3/devices/${bssid}`, { description: text })
    await expect(connection(beside)).toHaveText('live', { timeout: 30_000 })
    await expect(panel(beside)).toContainText(text, { timeout: 8_000 })
  })
})

/** Modules of the console that fail to load when they are first needed. */
import { loaded, messages } from '../support/devices.ts'
import { expect, signIn, signInAt, test } from '../support/fixtures.ts'
import { table } from '../support/lists.ts'
import { blockRequests } from '../support/blockRequests.ts'

test('a command whose module fails to load reports that the server is unreachable, and runs once it is back', async ({
  page,
}) => {
  const blocked = await blockRequests(page, '**/assets/deferred-*.js')
  await signIn(page, 'admin')
  await loaded(page)
  await page.keyboard.press('j')
  await page.keyboard.press('l')
  // The second one if the command waits for its rows.
  await expect(messages(page)).toContainText(/The server cannot be reached|its code could not be loaded/)
  await expect(messages(page)).not.toContainText('module')
  const arrived = page.waitForResponse(response => /\/deferred-[^/]+\.js$/.test(response.url()))
  blocked.on = false
  await arrived
  await page.keyboard.press('l')
  await expect(messages(page)).toContainText('Locked')
})

test('live updates start although their module failed to load at first', async ({ page }) => {
  const blocked = await blockRequests(page, /\/(assets\/live-[^/]+\.js)?$/)
  const failure = page.waitForEvent('requestfailed', request => /\/live-/.test(request.url()))
  await signInAt(page, 'admin', '/devices')
  await failure
  blocked.on = false
  await expect(page.getByRole('banner').getByRole('status')).toHaveText('live')
})

test('a screen gets its styles although they failed to load at first, and offers to reload the page if a newer release has removed its module', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('the calendar gets its styles although they failed to load at first', async () => {
    const blocked = await blockRequests(page, /\/(assets\/EventGrid-[^/]+\.css)?$/)
    const failure = page.waitForEvent('requestfailed', request => /\/EventGrid-.*css/.test(request.url()))
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await failure
    blocked.on = false
    const month = page.locator('.sx__month-grid-wrapper')
    await expect(month).toBeVisible()
    await expect(month).toHaveCSS('display', 'flex')
  })
  await test.step('a screen whose module was removed by a newer release offers to reload the page', async () => {
    const blocked = await blockRequests(page, '**/assets/RowListScreen-*.js', 404)
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await expect(page.getByRole('alert')).toContainText('newer version of the console')
    blocked.on = false
    await expect(page.getByRole('button', { name: 'Reload' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(table(page)).toBeVisible()
  })
})

/** Parts of the console that cannot be fetched when they are first needed. */
import { loaded, messages } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { table } from '../support/lists.ts'
import { withhold } from '../support/withhold.ts'

test.beforeEach(async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
})

test('a command whose part has yet to be fetched says that the server is away, and runs once it is back', async ({
  page,
}) => {
  const withheld = await withhold(page, '**/assets/runs-*.js')
  await page.reload()
  await loaded(page)
  await page.keyboard.press('j')
  await page.keyboard.press('l')
  await expect(messages(page)).toContainText('The server cannot be reached')
  await expect(messages(page)).not.toContainText('module')
  withheld.on = false
  await page.keyboard.press('l')
  await expect(messages(page)).toContainText('Locked')
})

test('a screen that a newer console no longer has asks to load the page again', async ({ page }) => {
  const withheld = await withhold(page, '**/assets/RowListScreen-*.js', 404)
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect(page.getByRole('alert')).toContainText('newer version of the console')
  withheld.on = false
  await expect(page.getByRole('button', { name: 'Reload' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(table(page)).toBeVisible()
})

test('changes are heard of although their part could not be fetched at first', async ({ page }) => {
  await page.goto('about:blank')
  const withheld = await withhold(page, /\/(assets\/live-[^/]+\.js)?$/)
  const asked = page.waitForEvent('requestfailed', request => /\/live-/.test(request.url()))
  await page.goto('/devices')
  await asked
  withheld.on = false
  await expect(page.getByRole('banner').getByRole('status')).toHaveText('live')
})

test('the calendar has its own styles although they could not be fetched at first', async ({ page }) => {
  const withheld = await withhold(page, /\/(assets\/EventGrid-[^/]+\.css)?$/)
  const asked = page.waitForEvent('requestfailed', request => /\/EventGrid-.*css/.test(request.url()))
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await asked
  withheld.on = false
  const month = page.locator('.sx__month-grid-wrapper')
  await expect(month).toBeVisible()
  await expect(month).toHaveCSS('display', 'flex')
})

/** Toasts: where they are, how long they stay, what keeps them, what they say (specification, sections 8 and 9). */
import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import { loaded, messages } from '../support/devices.ts'
import { intercept } from '../support/intercept.ts'

// A clock that has been set stays with its context.
test.use({ ownContext: true })

const toasts = (page: Page) => messages(page).locator('> div')
const text = 'This is the first page'

/** The clock stands still but for what a test lets pass. */
async function withToast(page: Page) {
  await signIn(page, 'admin')
  await loaded(page)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.keyboard.press('[')
  await page.clock.runFor(50)
  await expect(toasts(page)).toContainText(text)
}
const pass = (page: Page, milliseconds: number) => page.clock.runFor(milliseconds)

test('at the bottom left, gone after four seconds', async ({ page }) => {
  await withToast(page)
  const place = (await toasts(page).boundingBox())!
  const { width, height } = page.viewportSize()!
  expect(place.x).toBeLessThan(40)
  expect(place.x + place.width).toBeLessThan(width / 2)
  expect(place.y).toBeGreaterThan(height / 2)
  await expect(messages(page)).toHaveAttribute('aria-live', 'polite')
  await pass(page, 3800)
  await expect(toasts(page)).toBeVisible()
  await pass(page, 300)
  await expect(toasts(page)).toHaveCount(0)
})

test('stays while pointed at, and then for the rest of its time', async ({ page }) => {
  await withToast(page)
  await pass(page, 2000)
  await toasts(page).hover()
  await pass(page, 20_000)
  await expect(toasts(page)).toBeVisible()
  await page.mouse.move(900, 300)
  await pass(page, 1500)
  await expect(toasts(page)).toBeVisible()
  await pass(page, 1000)
  await expect(toasts(page)).toHaveCount(0)
})

test('stays while the window is not in front', async ({ page }) => {
  await withToast(page)
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await pass(page, 20_000)
  await expect(toasts(page)).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await pass(page, 4100)
  await expect(toasts(page)).toHaveCount(0)
})

test('is dragged away; a short drag lets it go back', async ({ page }) => {
  await withToast(page)
  const { x, y, height } = (await toasts(page).boundingBox())!
  const dragBy = async (by: number) => {
    await page.mouse.move(x + 60, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + 60 + by / 2, y + height / 2)
    await page.mouse.move(x + 60 + by, y + height / 2)
    await page.mouse.up()
  }
  await dragBy(40)
  await expect(toasts(page)).toBeVisible()
  expect((await toasts(page).boundingBox())!.x).toBe(x)
  await dragBy(200)
  await pass(page, 50)
  await expect(toasts(page)).toHaveCount(0)
})

test('follows the theme', async ({ page }) => {
  await withToast(page)
  const colour = () => toasts(page).evaluate(toast => getComputedStyle(toast).backgroundColor)
  const light = await colour()
  await page.keyboard.press('t')
  await pass(page, 50)
  expect(await colour()).not.toBe(light)
})

test('a list of messages: first joined with commas, then as it came', async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
  const list = ['Row 2: platform is required', 'Row 3: model RO-9 not found']
  await intercept(page, '**/api/v3/devices/flush', route => route.fulfill({ status: 400, json: { message: list } }))
  await page.keyboard.press('j')
  await page.keyboard.press('f')
  await expect(toasts(page)).toHaveCount(2)
  await expect(
    toasts(page)
      .nth(0)
      .or(toasts(page).nth(1))
      .filter({ hasText: list.join(', ') }),
  ).toHaveCount(1)
  await expect(messages(page).getByRole('listitem')).toHaveText(list)
})

test('however much they say, messages can be closed and leave most of the page in sight', async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
  const list = Array.from({ length: 100 }, (_, row) => `Row ${row + 2}: filtration system “Kitchen” not found`)
  await intercept(page, '**/api/v3/devices/flush', route => route.fulfill({ status: 400, json: { message: list } }))
  await page.keyboard.press('j')
  await page.keyboard.press('f')
  await expect(toasts(page)).toHaveCount(2)
  const closes = messages(page).getByRole('button', { name: 'Close' })
  // They stay for as long as one has the focus.
  await closes.first().focus()
  for (const close of await closes.all()) await expect(close).toBeInViewport({ ratio: 1 })
  const { y } = (await messages(page).boundingBox())!
  expect(y).toBeGreaterThan(page.viewportSize()!.height / 3)
  await messages(page)
    .getByText(list.join(', '))
    .evaluate(text => text.scrollTo(0, text.scrollHeight))
  await expect(messages(page).getByText(list.join(', '))).not.toHaveJSProperty('scrollTop', 0)
})

test('a plain error shows its message, once', async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
  await intercept(page, '**/api/v3/devices/flush', route =>
    route.fulfill({ status: 500, json: { message: 'No luck' } }),
  )
  await page.keyboard.press('j')
  await page.keyboard.press('f')
  await expect(toasts(page)).toContainText('No luck')
  const again = page.waitForResponse('**/api/v3/devices/flush')
  await page.keyboard.press('f')
  await again
  await expect(toasts(page)).toHaveText([/No luck/])
})

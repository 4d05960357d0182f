/** Toasts: their place, duration and text (specification, sections 8 and 9). */
import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import { loaded, messages } from '../support/devices.ts'
import { intercept } from '../support/intercept.ts'

// A fake clock cannot be removed from a context.
test.use({ ownContext: true })

const toasts = (page: Page) => messages(page).locator('> div')
const text = 'This is the first page'

/** Waits for the tasks in which React renders what has happened, and pauses timers then. The fake clock does not hold them. */
const tasks = (page: Page) =>
  page.evaluate(async () => {
    for (let count = 0; count < 10; count++)
      await new Promise(resolve => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', resolve)
        port1.start()
        port2.postMessage(undefined)
      })
  })

test('a toast appears at the bottom left, closes after four seconds or by a drag, and stays while hovered', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await loaded(page)
  // The clock moves only by `pass`.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const pass = async (milliseconds: number) => {
    await tasks(page)
    await page.clock.runFor(milliseconds)
  }
  const showToast = async () => {
    await page.keyboard.press('[')
    await pass(50)
    await expect(toasts(page)).toContainText(text)
  }

  await test.step('a toast appears at the bottom left and closes after four seconds', async () => {
    await showToast()
    const box = (await toasts(page).boundingBox())!
    const { width, height } = page.viewportSize()!
    expect(box.x).toBeLessThan(40)
    expect(box.x + box.width).toBeLessThan(width / 2)
    expect(box.y).toBeGreaterThan(height / 2)
    await expect(messages(page)).toHaveAttribute('aria-live', 'polite')
    await pass(3800)
    await expect(toasts(page)).toBeVisible()
    await pass(300)
    await expect(toasts(page)).toHaveCount(0)
  })

  await test.step('a toast stays while hovered, and then for the rest of its time', async () => {
    await showToast()
    await pass(2000)
    await toasts(page).hover()
    await pass(20_000)
    await expect(toasts(page)).toBeVisible()
    await page.mouse.move(900, 300)
    await pass(1500)
    await expect(toasts(page)).toBeVisible()
    await pass(1000)
    await expect(toasts(page)).toHaveCount(0)
  })

  await test.step('a toast stays while the window does not have the focus', async () => {
    await showToast()
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await pass(20_000)
    await expect(toasts(page)).toBeVisible()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await pass(4100)
    await expect(toasts(page)).toHaveCount(0)
  })

  await test.step('a drag closes a toast, and after a short drag it moves back', async () => {
    await showToast()
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
    await pass(50)
    await expect(toasts(page)).toHaveCount(0)
    await page.mouse.move(900, 300)
  })

  await test.step('a toast follows the theme', async () => {
    await showToast()
    const colour = () => toasts(page).evaluate(toast => getComputedStyle(toast).backgroundColor)
    const light = await colour()
    await page.keyboard.press('t')
    await pass(50)
    expect(await colour()).not.toBe(light)
  })
})

test('toasts show a server error once, a list of errors both joined and as a list, and fit on the page', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await loaded(page)
  const answer = async (status: number, message: string | string[]) => {
    await page.unroute('**/api/v3/devices/flush')
    await intercept(page, '**/api/v3/devices/flush', route => route.fulfill({ status, json: { message } }))
  }
  const closes = messages(page).getByRole('button', { name: 'Close' })
  const closeAll = async () => {
    while ((await closes.count()) > 0) await closes.first().click()
    await expect(toasts(page)).toHaveCount(0)
  }
  await page.keyboard.press('j')

  await test.step('an error is shown once', async () => {
    await answer(500, 'No luck')
    await page.keyboard.press('f')
    await expect(toasts(page)).toContainText('No luck')
    const again = page.waitForResponse('**/api/v3/devices/flush')
    await page.keyboard.press('f')
    await again
    await expect(toasts(page)).toHaveText([/No luck/])
    await closeAll()
  })

  await test.step('a list of errors is shown joined with commas and as a list', async () => {
    const list = ['Row 2: platform is required', 'Row 3: model RO-9 not found']
    await answer(400, list)
    await page.keyboard.press('f')
    await expect(toasts(page)).toHaveCount(2)
    await expect(toasts(page).filter({ hasText: list.join(', ') })).toHaveCount(1)
    await expect(messages(page).getByRole('listitem')).toHaveText(list)
    await closeAll()
  })

  await test.step('long toasts can be closed and leave most of the page visible', async () => {
    const long = Array.from({ length: 100 }, (_, row) => `Row ${row + 2}: filtration system “Kitchen” not found`).join()
    await answer(400, [long, 'Row 3: model RO-9 not found'])
    await page.keyboard.press('f')
    await expect(toasts(page)).toHaveCount(2)
    // Toasts stay while one of them has the focus.
    await closes.first().focus()
    for (const close of await closes.all()) await expect(close).toBeInViewport({ ratio: 1 })
    const { y } = (await messages(page).boundingBox())!
    expect(y).toBeGreaterThan(page.viewportSize()!.height / 3)
    const joined = messages(page).getByText(`${long}, Row 3: model RO-9 not found`)
    await joined.evaluate(message => message.scrollTo(0, message.scrollHeight))
    await expect(joined).not.toHaveJSProperty('scrollTop', 0)
  })
})

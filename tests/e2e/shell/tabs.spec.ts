/** Two tabs of one person: changes in one appear in the other. */
import type { Page } from '@playwright/test'
import { callerFor } from '../support/api.ts'
import { grid, loaded, messages, palette, searchField, selectedCount } from '../support/devices.ts'
import { connect, devicesOf, expectations } from '../support/everydayWorld.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { backToDevices } from '../support/lists.ts'

const lockJob = (page: Page) =>
  page
    .getByRole('grid', { name: 'Jobs' })
    .getByRole('row')
    .filter({ hasText: /^Lock\b/ })
    .first()

test('of two tabs, a selection saved in one can be restored in the other, and a job undone in one cannot be undone again in the other', async ({
  page,
  context,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  const other = await context.newPage()
  await test.step('a selection saved in one tab can be restored in the other', async () => {
    await other.goto('/devices')
    await loaded(other)

    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await selectedCount(page, 1)
    await page.keyboard.press('a')
    await page.keyboard.press('n')
    await expectations(page).prompt('Name')()
    await page.keyboard.type('Of this tab')
    await page.keyboard.press('Enter')
    await expectations(page).message('Saved 1 device as “Of this tab”')()

    await other.bringToFront()
    // The other tab first has to load the saved selection; until then its command reports that there is none.
    await expect(async () => {
      await other.keyboard.press('a')
      await other.keyboard.press('r')
      await expect(palette(other).getByRole('option', { name: /Of this tab/ })).toBeVisible({ timeout: 2000 })
    }).toPass()
  })
  await page.bringToFront()
  await backToDevices(page)
  await test.step('a job undone in one tab cannot be undone again in the other', async () => {
    const admin = await callerFor(server.url, 'admin')
    for (const credential of await devicesOf(admin, 'E1:01', 2)) await connect({ page, server, admin }, credential)
    await page.keyboard.press('/')
    await expect(searchField(page)).toBeFocused()
    await page.keyboard.type('E1:01')
    await page.keyboard.press('Enter')
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '2')
    await page.keyboard.press('Control+Shift+A')
    await selectedCount(page, 2)
    const { preview, message } = expectations(page)
    await page.keyboard.press('l')
    await preview('Lock: 2 devices')()
    await page.keyboard.press('Enter')
    await message('Locked 2 of 2 devices')()

    await other.goto('/jobs')
    await expect(lockJob(other)).toContainText('2 done')
    await expect(lockJob(other)).not.toContainText('Undone')

    await page.keyboard.press('z')
    await preview('Undo “Lock”: 2 devices')()
    await page.keyboard.press('Enter')
    await message('Undid “Lock” for 2 of 2 devices')()
    await expect(lockJob(other)).toContainText('Undone')
    await lockJob(other).click()
    await other.keyboard.press('z')
    await expect(messages(other)).toContainText('The job is already undone')
  })
})

/** Two tabs of one person: what is done in one is known in the other. */
import type { Page } from '@playwright/test'
import { callerFor } from '../support/api.ts'
import { grid, loaded, messages, palette, searchField, selectedCount } from '../support/devices.ts'
import { connect, devicesOf, seen } from '../support/everydayWorld.ts'
import { expect, signIn, test } from '../support/fixtures.ts'

const lockJob = (page: Page) =>
  page
    .getByRole('grid', { name: 'Jobs' })
    .getByRole('row')
    .filter({ hasText: /^Lock\b/ })

test('what is undone in one tab is not undone in the other once more', async ({ page, context, server }) => {
  const admin = await callerFor(server.url, 'admin')
  for (const credential of await devicesOf(admin, 'E1:01', 2)) await connect({ page, server, admin }, credential)
  await signIn(page, 'admin')
  await loaded(page)
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await page.keyboard.type('E1:01')
  await page.keyboard.press('Enter')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '2')
  await page.keyboard.press('Control+Shift+A')
  await selectedCount(page, 2)
  const { shown, said } = seen(page)
  await page.keyboard.press('l')
  await shown('Lock: 2 devices')()
  await page.keyboard.press('Enter')
  await said('Locked 2 of 2 devices')()

  const other = await context.newPage()
  await other.goto('/jobs')
  await expect(lockJob(other)).toContainText('2 done')
  await expect(lockJob(other)).not.toContainText('Undone')

  await page.keyboard.press('z')
  await shown('Undo “Lock”: 2 devices')()
  await page.keyboard.press('Enter')
  await said('Undid “Lock” for 2 of 2 devices')()
  await expect(lockJob(other)).toContainText('Undone')
  await other.keyboard.press('z')
  await expect(messages(other)).toContainText('The job is already undone')
})

test('a selection that is saved in one tab can be restored in the other', async ({ page, context }) => {
  await signIn(page, 'admin')
  await loaded(page)
  const other = await context.newPage()
  await other.goto('/devices')
  await loaded(other)

  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await selectedCount(page, 1)
  await page.keyboard.press('a')
  await page.keyboard.press('n')
  await seen(page).asked('Name')()
  await page.keyboard.type('Of this tab')
  await page.keyboard.press('Enter')
  await seen(page).said('Saved 1 device as “Of this tab”')()

  await other.bringToFront()
  // Told of what was saved, the other tab reads it first; until then its command says that there is none.
  await expect(async () => {
    await other.keyboard.press('a')
    await other.keyboard.press('r')
    await expect(palette(other).getByRole('option', { name: /Of this tab/ })).toBeVisible({ timeout: 2000 })
  }).toPass()
})

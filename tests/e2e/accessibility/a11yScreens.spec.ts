/** axe on the screens of accounts, models and filtration, populated, in both themes, with each section of the panel. */
import type { Page } from '@playwright/test'
import { check, heading, start } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { panelReady } from '../support/devices.ts'
import { go, panel, selectedTableRows, ready, type Screen } from '../support/lists.ts'

/** Checks the screen, and then each section of the panel with the first row selected. */
async function checkList(page: Page, screen: string) {
  await ready(page)
  await check(page, screen)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(selectedTableRows(page)).toHaveCount(1)
  await panelReady(page)
  for (const tab of await panel(page).getByRole('tab').all()) {
    await tab.click()
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await check(page, `${screen}, ${await tab.textContent()}`, 'aside')
  }
}

test('axe finds nothing on the administrators, their panel and the password page, in both themes', async ({ page }) => {
  test.slow()
  await start(page, 'superadmin')
  await checkList(page, 'admins')
  await page.keyboard.press('s')
  await page.keyboard.press('p')
  await expect(page.getByRole('combobox', { name: 'New password' })).toBeFocused()
  await check(page, 'a page for a password', '[role=dialog]')
})

const firstScreens: readonly Screen[] = ['vendors', 'users', 'models', 'filtrationSystems']
const otherScreens: readonly Screen[] = ['groups', 'cartridgeTypes', 'audit']
for (const screens of [firstScreens, otherScreens])
  test(`axe finds nothing on ${screens.join(', ')} and their panels, in both themes`, async ({ page }) => {
    test.slow()
    await start(page)
    for (const screen of screens) {
      await go(page, screen)
      await checkList(page, screen)
    }
  })

test('axe finds nothing on the profile and the password restoration with validation messages, in both themes', async ({
  page,
}) => {
  await start(page, 'vendor')
  await ready(page)
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await heading(page, 'Profile')
  const passwords = page.getByRole('form', { name: 'Change own password' })
  await passwords.getByRole('button', { name: 'Change password' }).click()
  await expect(passwords.getByRole('alert').first()).toBeVisible()
  await check(page, 'profile')
  await page.goto('/password/restore/?token=abc')
  await heading(page, 'Restore password')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await check(page, 'restore password')
})

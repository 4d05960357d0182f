/** axe on the screens of accounts, models and filtration, populated, in both themes, with each section of the panel. */
import type { Page } from '@playwright/test'
import { check, heading, start } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { panelFollows } from '../support/devices.ts'
import { go, panel, picked, ready, type Screen } from '../support/lists.ts'

/** The screen as it is, and then the panel with its first row, section by section. */
async function checkList(page: Page, screen: string) {
  await ready(page)
  await check(page, screen)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(picked(page)).toHaveCount(1)
  await panelFollows(page)
  for (const tab of await panel(page).getByRole('tab').all()) {
    await tab.click()
    await expect(tab).toHaveAttribute('aria-selected', 'true')
    await check(page, `${screen}, ${await tab.textContent()}`, 'aside')
  }
}

test('administrators', async ({ page }) => {
  test.slow()
  await start(page, 'superadmin')
  await checkList(page, 'admins')
  await page.keyboard.press('s')
  await page.keyboard.press('p')
  await expect(page.getByRole('combobox', { name: 'New password' })).toBeFocused()
  await check(page, 'a page for a password', '[role=dialog]')
})

const byAdmin: readonly Screen[] = ['vendors', 'users', 'models', 'filtrationSystems']
const andThese: readonly Screen[] = ['groups', 'cartridgeTypes', 'audit']
for (const screens of [byAdmin, andThese])
  test(screens.join(', '), async ({ page }) => {
    test.slow()
    await start(page)
    for (const screen of screens) {
      await go(page, screen)
      await checkList(page, screen)
    }
  })

test('profile and restored password, with messages', async ({ page }) => {
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

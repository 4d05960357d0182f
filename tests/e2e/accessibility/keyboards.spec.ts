/** Keyboards that differ: other layouts, input methods, keys that let go elsewhere, single keys switched off. */
import type { Page } from '@playwright/test'
import { grid, loaded, messages, openPalette, palette, searchField, statusBar } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'

const rowIn = (page: Page, place: number) => grid(page).getByRole('row').nth(place)

/** Presses a key as no keyboard that a test can have does it, on what has the focus; whether the browser may act on it. */
const press = (
  page: Page,
  init: Pick<KeyboardEventInit, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'modifierAltGraph' | 'isComposing'>,
) =>
  page.evaluate(
    given =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...given }),
      ),
    init,
  )

test.beforeEach(async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
})

test('a started sequence shows what may follow, by role and place; keys and clicks go on with it, Esc leaves it', async ({
  page,
}) => {
  const follows = (keys: string) => page.getByRole('region', { name: `Keys that may follow ${keys}` })
  await page.keyboard.press('g')
  await expect(follows('g').getByRole('button', { name: 'Vendors' })).toBeVisible()
  await expect(follows('g').getByRole('button', { name: 'Admins' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(follows('g')).toBeHidden()
  await page.keyboard.press('g')
  await follows('g').getByRole('button', { name: 'Vendors' }).click()
  await expect(page).toHaveURL(/\/vendors(\?|$)/)
  await expect(follows('g')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Vendors' })).toBeFocused()
  // Settings of devices are none of vendors.
  await page.keyboard.press('s')
  await expect(follows('s').getByRole('button', { name: 'Change password' })).toBeVisible()
  await expect(follows('s').getByRole('button', { name: 'Auto-flush' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/\/devices(\?|$)/)
})

test('on a layout without Latin letters keys are where they are printed, and text stays text', async ({ page }) => {
  await press(page, { key: 'о', code: 'KeyJ' })
  await expect(rowIn(page, 1)).toBeFocused()
  await press(page, { key: 'ч', code: 'KeyX' })
  await expect(rowIn(page, 1)).toHaveAttribute('aria-selected', 'true')
  await press(page, { key: '.', code: 'Slash' })
  await expect(searchField(page)).not.toBeFocused()
  await press(page, { key: 'л', code: 'KeyK', ctrlKey: true })
  await expect(palette(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.insertText('тема')
  await expect(palette(page).getByRole('combobox')).toHaveValue('тема')
})

test('what AltGr types is text in fields and a sign elsewhere, never a chord', async ({ page }) => {
  const altGr = { ctrlKey: true, altKey: true, modifierAltGraph: true }
  // Polish AltGr+A is not Ctrl+A.
  expect(await press(page, { key: 'ą', code: 'KeyA', ...altGr })).toBe(true)
  await expect(grid(page).getByRole('row', { selected: true })).toHaveCount(0)
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  expect(await press(page, { key: '@', code: 'KeyQ', ...altGr })).toBe(true)
  await expect(palette(page)).toBeHidden()
  await page.keyboard.press('Escape')
  // German AltGr+Q is the sign @, which finds a device.
  expect(await press(page, { key: '@', code: 'KeyQ', ...altGr })).toBe(false)
  await expect(palette(page).getByRole('combobox', { name: 'Device', exact: true })).toBeFocused()
})

test('what an input method takes for itself gives no command', async ({ page }) => {
  await press(page, { key: 'Process', code: 'KeyJ', isComposing: true })
  await press(page, { key: 'j', code: 'KeyJ', isComposing: true })
  await expect(rowIn(page, 1)).not.toBeFocused()
  await openPalette(page)
  await page.keyboard.type('>light or dark')
  await expect(palette(page).getByRole('option').first()).toContainText('Light or dark theme')
  // Enter takes what the input method offers, Esc leaves that: the palette has neither.
  await press(page, { key: 'Enter', code: 'Enter', isComposing: true })
  await press(page, { key: 'Escape', code: 'Escape', isComposing: true })
  await expect(palette(page).getByRole('combobox')).toHaveValue('>light or dark')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
})

test('a modifier or half a sequence held when the window goes away is not held when it comes back', async ({
  page,
}) => {
  const leave = () => page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await press(page, { key: 'Control', code: 'ControlLeft', ctrlKey: true })
  await leave()
  await press(page, { key: 'j', code: 'KeyJ' })
  await expect(rowIn(page, 1)).toBeFocused()
  await page.keyboard.press('g')
  await expect(statusBar(page)).toContainText('g …')
  await leave()
  await expect(statusBar(page)).not.toContainText('…')
  await page.keyboard.press('j')
  await expect(rowIn(page, 2)).toBeFocused()
  await expect(page).toHaveURL(/\/devices(\?|$)/)
})

test('single keys can be switched off: those with a modifier, named ones and the palette stay', async ({ page }) => {
  const toggle = async (said: string) => {
    await openPalette(page)
    await page.keyboard.type('>keys without a modifier')
    await expect(palette(page).getByRole('option').first()).toContainText('Keys without a modifier')
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText(said)
  }
  await toggle('Keys without a modifier are off')
  await page.keyboard.press('ArrowDown')
  await expect(rowIn(page, 1)).toBeFocused()
  for (const key of ['x', 'j', 'g', 'c']) await page.keyboard.press(key)
  await expect(rowIn(page, 1)).toBeFocused()
  await expect(rowIn(page, 1)).toHaveAttribute('aria-selected', 'false')
  await expect(page).toHaveURL(/\/devices(\?|$)/)
  await toggle('Keys without a modifier are on')
  await page.keyboard.press('x')
  await expect(grid(page).getByRole('row', { selected: true })).toHaveCount(1)
})

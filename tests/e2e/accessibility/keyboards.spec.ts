/** Other keyboard layouts, input methods, keys released in another window, and single keys switched off. */
import type { Page } from '@playwright/test'
import { clearList, grid, loaded, messages, openPalette, palette, searchField, statusBar } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'

const nextKeys = (page: Page) => page.getByRole('region', { name: /^Keys that may follow/ })

/** Returns the texts of entries that are cut off. */
const cutOff = (page: Page) =>
  nextKeys(page)
    .getByRole('button')
    .evaluateAll(buttons =>
      buttons
        .filter(button =>
          [button, ...button.querySelectorAll('span')].some(
            part => part.scrollWidth > part.clientWidth && part.clientWidth > 0,
          ),
        )
        .map(button => button.textContent),
    )

const rowIn = (page: Page, place: number) => grid(page).getByRole('row').nth(place)

/** Dispatches a keydown that Playwright cannot produce to the focused element; false if its default is prevented. */
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

test('keys and sequences, with what may follow them, work on other layouts, with AltGr and input methods, and can be switched off', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('a started key sequence lists the next keys for the role and the screen; a key or a click continues it, Esc cancels it', async () => {
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
    // The settings of devices are not offered for vendors.
    await page.keyboard.press('s')
    await expect(follows('s').getByRole('button', { name: 'Change password' })).toBeVisible()
    await expect(follows('s').getByRole('button', { name: 'Auto-flush' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await expect(page).toHaveURL(/\/devices(\?|$)/)
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeFocused()
  await clearList(page)
  await test.step('keys work on other layouts, with AltGr and input methods, after the window lost the focus, and can be switched off', async () => {
    await test.step('on a layout without Latin letters, keys work by their position, and typed text stays as it is', async () => {
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
    await clearList(page)
    await test.step('a character typed with AltGr is text in a field and a key elsewhere, never a chord of Ctrl and Alt', async () => {
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
    await clearList(page)
    await test.step('keys that an input method handles run no command', async () => {
      await page.keyboard.press('Home')
      await press(page, { key: 'Process', code: 'KeyJ', isComposing: true })
      await press(page, { key: 'j', code: 'KeyJ', isComposing: true })
      await expect(rowIn(page, 1)).toBeFocused()
      await openPalette(page)
      await page.keyboard.type('>light or dark')
      await expect(palette(page).getByRole('option').first()).toContainText('Switch theme')
      // Enter and Esc accept and dismiss the input method's suggestion; the palette must ignore both.
      await press(page, { key: 'Enter', code: 'Enter', isComposing: true })
      await press(page, { key: 'Escape', code: 'Escape', isComposing: true })
      await expect(palette(page).getByRole('combobox')).toHaveValue('>light or dark')
      await page.keyboard.press('Enter')
      await expect(palette(page)).toBeHidden()
      await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
    })
    await clearList(page)
    await test.step('a held modifier and a started key sequence are forgotten when the window loses the focus', async () => {
      await page.keyboard.press('Home')
      await expect(rowIn(page, 1)).toBeFocused()
      const blurWindow = () => page.evaluate(() => window.dispatchEvent(new Event('blur')))
      await press(page, { key: 'Control', code: 'ControlLeft', ctrlKey: true })
      await blurWindow()
      await press(page, { key: 'j', code: 'KeyJ' })
      await expect(rowIn(page, 2)).toBeFocused()
      await page.keyboard.press('g')
      await expect(statusBar(page)).toContainText('g …')
      await blurWindow()
      await expect(statusBar(page)).not.toContainText('…')
      await page.keyboard.press('j')
      await expect(rowIn(page, 3)).toBeFocused()
      await expect(page).toHaveURL(/\/devices(\?|$)/)
    })
    await clearList(page)
    await test.step('single keys can be switched off, while chords with a modifier, named keys and the palette still work', async () => {
      await page.keyboard.press('Home')
      await expect(rowIn(page, 1)).toBeFocused()
      const toggle = async (message: string) => {
        await openPalette(page)
        await page.keyboard.type('>keys without a modifier')
        await expect(palette(page).getByRole('option').first()).toContainText('Switch single keys on or off')
        await page.keyboard.press('Enter')
        await expect(messages(page)).toContainText(message)
      }
      await toggle('Single keys are off')
      await page.keyboard.press('ArrowDown')
      await expect(rowIn(page, 2)).toBeFocused()
      for (const key of ['x', 'j', 'g', 'c']) await page.keyboard.press(key)
      await expect(rowIn(page, 2)).toBeFocused()
      await expect(rowIn(page, 2)).toHaveAttribute('aria-selected', 'false')
      await expect(page).toHaveURL(/\/devices(\?|$)/)
      await toggle('Single keys are on')
      await page.keyboard.press('x')
      await expect(grid(page).getByRole('row', { selected: true })).toHaveCount(1)
    })
  })
  await clearList(page)
  await test.step('the keys that may follow a sequence are not cut off at any width', async () => {
    for (const width of [1440, 1000, 390]) {
      await page.setViewportSize({ width, height: 844 })
      for (const key of ['a', 's', 'g']) {
        await page.keyboard.press(key)
        await expect(nextKeys(page)).toBeVisible()
        expect(await cutOff(page), `after ${key} at ${width} px`).toEqual([])
        await page.keyboard.press('Escape')
        await expect(nextKeys(page)).toBeHidden()
      }
    }
    await page.keyboard.press('a')
    await expect(nextKeys(page)).toBeVisible()
    const lefts = await nextKeys(page)
      .getByRole('button')
      .evaluateAll(buttons => buttons.map(button => button.getBoundingClientRect().left))
    expect(new Set(lefts).size).toBe(1)
  })
})

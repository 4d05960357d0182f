/** The palette: search results, inline arguments, and what screen readers announce. */
import type { Page } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import { focusDevice, loaded, openPalette, palette, row, clearList } from '../support/devices.ts'

const field = (page: Page) => palette(page).getByRole('combobox')
const active = (page: Page) => palette(page).getByRole('option', { selected: true })
/** Replaces the text in the palette. */
async function replaceText(page: Page, text: string) {
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

test.beforeEach(async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
})

test('the palette tolerates typing errors, takes and prompts for arguments, and finds models after #, and the mouse leaves the text to the keyboard', async ({
  page,
  ownDevices,
}) => {
  test.slow()
  await test.step('the mouse over a result leaves the text to the keyboard', async () => {
    await openPalette(page)
    const option = palette(page).getByRole('option').nth(2)
    await option.hover()
    await expect(option).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.type('>theme')
    await expect(field(page)).toHaveValue('>theme')
    await expect(active(page)).toContainText('Switch theme')
  })
  await clearList(page)
  await test.step('the palette tolerates typing errors, takes and prompts for arguments, and finds models after #', async () => {
    const [target = ''] = await ownDevices(1)
    await test.step('the palette tolerates typing errors, and unavailable commands can be reached with arrow keys', async () => {
      await openPalette(page)
      await page.keyboard.type('>thmee')
      await expect(active(page)).toContainText('Switch theme')
      await replaceText(page, '>flush')
      const first = palette(page).getByRole('option').first()
      await expect(palette(page).getByRole('group', { name: 'Unavailable' })).toBeVisible()
      await page.keyboard.press('End')
      await expect(active(page)).toHaveAttribute('aria-disabled', 'true')
      // The active option is announced to screen readers.
      await expect(field(page)).toHaveAttribute('aria-activedescendant', (await active(page).getAttribute('id'))!)
      await page.keyboard.press('Enter')
      await expect(palette(page)).toBeVisible()
      await page.keyboard.press('ArrowDown')
      await expect(first).toHaveAttribute('aria-selected', 'true')
      await expect(field(page)).toHaveAttribute('aria-activedescendant', (await first.getAttribute('id'))!)
      await expect(palette(page).getByRole('status')).toHaveText(/^\d+ commands?$/)
    })
    await clearList(page)
    await test.step('inline arguments show as chips, run with Enter, and are completed with Tab', async () => {
      await focusDevice(page, target)
      await openPalette(page)
      await page.keyboard.type('flush settings after 5th 18')
      await expect(active(page)).toContainText('Auto-flush')
      for (const chip of ['Mode: After', 'Flush every: 5th', 'Duration (s): 18'])
        await expect(active(page)).toContainText(chip)

      // Tab prompts for the other arguments; Esc returns to the palette and its text.
      await page.keyboard.press('Tab')
      await expect(palette(page).getByRole('combobox', { name: 'Smart flush', exact: true })).toBeFocused()
      await expect(palette(page).getByRole('button', { name: 'Mode: After' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(field(page)).toHaveValue('flush settings after 5th 18')
      await expect(active(page)).toContainText('Mode: After')

      const sent = page.waitForRequest(
        request =>
          request.method() === 'PUT' && /\/settings\/flush/.test(request.url()) && !/preview=true/.test(request.url()),
      )
      await page.keyboard.press('Enter')
      expect((await sent).postDataJSON()).toEqual({ ids: [target], mode: 1, frequency: 5, duration: 18 })
      await expect(palette(page)).toBeHidden()
    })
    await clearList(page)
    await test.step('the palette prompts for missing arguments and for ambiguous ones', async () => {
      await focusDevice(page, target)
      await openPalette(page)
      await page.keyboard.type('device model RO-')
      await expect(active(page)).toContainText(/\(\d+ matches\)/)
      await page.keyboard.press('Enter')
      const model = palette(page).getByRole('combobox', { name: 'Model', exact: true })
      await expect(model).toBeFocused()
      await expect(model).toHaveValue('RO-')
      await expect(palette(page).getByRole('option').first()).toContainText('RO-')
      await page.keyboard.press('Escape')
      await replaceText(page, 'valve')
      await page.keyboard.press('Enter')
      await expect(palette(page).getByRole('combobox', { name: 'Valve', exact: true })).toBeFocused()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await expect(row(page, target)).toBeFocused()
    })
    await clearList(page)
    await test.step('# in the palette finds a model, opens its list and selects it', async () => {
      await openPalette(page)
      await page.keyboard.type('#RO-400 H')
      await expect(palette(page).getByRole('option')).toHaveText([/^RO-400 Home/])
      await expect(palette(page).getByRole('group', { name: 'Device models' })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/devices\/models(\?|$)/)
      const models = page.getByRole('grid', { name: 'Device models' })
      await expect(models).toHaveAttribute('aria-rowcount', '1')
      await expect(models.getByRole('row', { selected: true })).toContainText('RO-400 Home')
    })
  })
})

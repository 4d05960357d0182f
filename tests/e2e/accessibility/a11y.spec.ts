/** axe on every screen in both themes: no violations. */
import { check, heading, start } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { focusDevice, loaded, messages, panel, panelReady, selectedCount } from '../support/devices.ts'

test('axe finds nothing on the login and the forgotten password, in both themes', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('textbox', { name: 'Login' })).toBeFocused()
  await check(page, 'login')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Login is required')).toBeVisible()
  await check(page, 'login with messages')
  await page.goto('/forgot')
  await heading(page, 'Forgot password')
  await check(page, 'forgot password')
})

test('axe finds nothing on the devices, their panel, a toast and the failures, in both themes', async ({ page }) => {
  test.slow()
  await start(page)
  await loaded(page)
  await check(page, 'devices')
  await page.keyboard.press('Control+a')
  await selectedCount(page, 20)
  await check(page, '20 selected')
  for (const tab of ['Info', 'Settings', 'Control', 'Create']) {
    await panel(page).getByRole('tab', { name: tab }).click()
    await check(page, `20 selected, ${tab}`, 'aside')
  }
  await page.keyboard.press('Escape')
  await selectedCount(page, 0)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await selectedCount(page, 1)
  await panelReady(page)
  for (const tab of ['Settings', 'Info']) {
    await panel(page).getByRole('tab', { name: tab }).click()
    await check(page, `one selected, ${tab}`, 'aside')
  }
  await page.keyboard.press('Escape')
  await focusDevice(page, '30:AE:A4:09:0B:21')
  await page.keyboard.press('f')
  await expect(messages(page)).toContainText('Flushing 0 of 1 device')
  await messages(page).hover()
  await check(page, 'with a toast', '[aria-label=Messages]')
  await messages(page).getByRole('button', { name: 'View failures' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await check(page, 'failures', '[role=dialog]')
})

test('axe finds nothing in the palette, the dialogs and the columns menu, in both themes', async ({ page }) => {
  test.slow()
  await start(page)
  await loaded(page)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option').first()).toBeVisible()
  await check(page, 'palette')
  await page.keyboard.type('flush')
  await expect(page.getByRole('option', { name: /At least one device/ }).first()).toBeVisible()
  await check(page, 'palette with blocked commands', '[role=dialog]')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'All keys' })).toBeVisible()
  await check(page, 'all keys', '[role=dialog]')
  await page.keyboard.press('Escape')
  await focusDevice(page, '30:AE:A4:04:74:8C')
  await page.keyboard.press('s')
  await page.keyboard.press('f')
  await expect(page.getByRole('combobox', { name: 'Smart flush' })).toBeFocused()
  await check(page, 'a page of arguments', '[role=dialog]')
  await page.keyboard.press('Escape')
  await page.keyboard.press('b')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'confirmation', '[role=alertdialog]')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'typed confirmation', '[role=alertdialog]')
  await page.keyboard.press('Escape')
  await page.keyboard.press('h')
  await expect(page.getByRole('dialog', { name: /^Share/ })).toBeVisible()
  await check(page, 'share', '[role=dialog]')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Columns' }).click()
  await expect(page.getByRole('menuitemcheckbox').first()).toBeVisible()
  await check(page, 'columns', '[role=menu]')
})

test('axe finds nothing on the other screens, in both themes', async ({ page }) => {
  test.slow()
  await start(page)
  await page.goto('/settings')
  await heading(page, 'Settings')
  await check(page, 'settings')
  await page.goto('/devices/30:AE:A4:04:74:8C')
  await expect(page.getByRole('meter').first()).toBeVisible()
  await check(page, 'device')
  await page.goto('/no/such/screen')
  await heading(page, 'Not found')
  await check(page, 'not found')
  await page.goto('/email/confirm/?token=abc')
  await heading(page, 'Confirm email')
  await check(page, 'confirm email')
  for (const [path, name] of [
    ['/calendar', 'Calendar'],
    ['/charts', 'Charts'],
    ['/notifications', 'Notifications'],
  ] as const) {
    await page.goto(path)
    await heading(page, name)
    await check(page, path)
  }
})

test('the axe check reports low contrast in either theme, and faults that have nothing to do with colours', async ({
  page,
}) => {
  await page.goto('/login')
  await expect(page.getByRole('textbox', { name: 'Login' })).toBeFocused()
  const plant = (html: string, rule = '') =>
    page.evaluate(
      ([text, style]) => {
        document.querySelector('#planted')?.remove()
        document
          .querySelector('main')!
          .append(Object.assign(document.createElement('div'), { id: 'planted', innerHTML: text }))
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(style)
        document.adoptedStyleSheets = [sheet]
      },
      [html, rule] as const,
    )
  for (const theme of [':not(.dark)', '.dark']) {
    await plant(
      '<p>Planted</p>',
      `html${theme} #planted p { position: fixed; inset: 0 auto auto 0; background: #fff; color: #eee }`,
    )
    await expect(check(page, theme)).rejects.toThrow('color-contrast')
    // A check that fails leaves the theme switched.
    await page.evaluate(() => document.documentElement.classList.remove('dark'))
  }
  await plant('<img src="data:,">')
  await expect(check(page, 'an image')).rejects.toThrow('image-alt')
})

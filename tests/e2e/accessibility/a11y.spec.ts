/** The devices and the screens for signed-out people, checked by axe in both themes, and that axe finds faults. */
import { check, start } from '../support/axe.ts'
import { controlsOn } from '../support/controls.ts'
import { expect, test, visit } from '../support/fixtures.ts'
import { focusDevice, loaded, messages, panel, panelReady, selectedCount } from '../support/devices.ts'

test('keys reach every control of the screens for signed-out people, and axe finds nothing there', async ({ page }) => {
  for (const [path, heading, button] of [
    ['/login', 'Permeate', 'Login'],
    ['/forgot', 'Forgot password'],
    ['/password/restore/?token=x', 'Restore password', 'Set new password'],
    ['/email/confirm/?token=x', 'Confirm email'],
    ['/no/such/screen', 'Not found'],
  ] as const) {
    if (path === '/login') await page.goto(path)
    else await visit(page, path)
    await expect(page).toHaveURL(new URL(path, page.url()).href)
    // By its name: the screen before is there until the next one is loaded.
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    // A link of an email shows its controls once the server has answered.
    await expect(page.getByRole('button').or(page.getByRole('link')).first()).toBeVisible()
    const controls = await controlsOn(page)
    expect(controls.length, path).toBeGreaterThan(0)
    expect(
      controls.filter(({ reachable }) => !reachable).map(({ name }) => name),
      path,
    ).toEqual([])
    await check(page, path)
    if (button) {
      await page.getByRole('button', { name: button }).click()
      await expect(page.getByRole('alert').first()).toBeVisible()
      await check(page, `${path} with messages`)
    }
  }
})

test('axe finds nothing on the devices, their panel, the palette, a toast and the failures, in both themes', async ({
  page,
}) => {
  test.slow()
  await start(page)
  await loaded(page)
  await check(page, 'devices', 'html', { whole: true })
  await page.getByRole('button', { name: 'Columns' }).click()
  await expect(page.getByRole('menuitemcheckbox').first()).toBeVisible()
  await check(page, 'columns', '[role=menu]')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
  await check(page, 'palette', '[role=dialog]')
  await page.keyboard.insertText('flush')
  await expect(page.getByRole('option', { name: /At least one device/ }).first()).toBeVisible()
  await check(page, 'palette with blocked commands', '[role=dialog]')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+a')
  await selectedCount(page, 20)
  await check(page, '20 selected', 'main')
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

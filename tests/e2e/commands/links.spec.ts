/** Links to commands: copied from the palette, opened after signing in, and never run without Enter. */
import { demoPassword } from '../support/api.ts'
import { expect, logOut, signIn, signInAt, test } from '../support/fixtures.ts'
import { countCalls, loaded, messages, openPalette, palette, preview, row, searchFor } from '../support/devices.ts'

const first = '30:AE:A4:00:63:73'
const targets = [first, '30:AE:A4:09:0B:21']

test('a link to a command is copied by keys, is opened after the login, and waits for Enter', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, 'admin')
  await loaded(page)
  for (const id of targets) {
    await searchFor(page, id, 1)
    await page.keyboard.press('x')
    await expect(row(page, id)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Escape')
    await loaded(page)
  }
  await openPalette(page)
  await page.keyboard.type('flush settings before 10th')
  await expect(palette(page).getByRole('option', { selected: true })).toContainText('Mode: Before')
  await page.keyboard.press('Control+Shift+L')
  await expect(palette(page).getByRole('button', { name: 'link copied' })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toContain(`/devices?cmd=device.autoFlush&ids=${targets.join(',')}&mode=2&frequency=10`)
  await page.keyboard.press('Escape')
  await logOut(page)

  await page.goto(link)
  await expect(page).toHaveURL(/\/login(\?|$)/)
  const sent = countCalls(page, 'PUT', /\/devices\//)
  await page.getByRole('textbox', { name: 'Login' }).fill('admin')
  await page.getByLabel('Password').fill(demoPassword)
  await page.keyboard.press('Enter')
  const command = palette(page).getByRole('option', { name: 'Auto-flush: 2 devices' })
  await expect(command).toBeVisible()
  await expect(page).toHaveURL(/\/devices(\?|$)/)
  await expect(palette(page).getByRole('button', { name: 'Mode: Before' })).toBeVisible()
  await expect(palette(page).getByRole('combobox', { name: 'Auto-flush', exact: true })).toBeFocused()
  expect(sent).toEqual([])
  // Enter opens the preview, as for any command on several devices.
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
  await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toContainText('Auto-flush')
  await page.keyboard.press('Escape')
  // The link is opened only once.
  await page.reload()
  await loaded(page)
  await expect(palette(page)).toHaveCount(0)
})

test('a link with a policy opens the preview with it, and one with a wrong policy, command, target or argument reports what is wrong', async ({
  page,
}) => {
  test.slow()
  await test.step('a link with an unknown command, target or argument reports what is wrong', async () => {
    const sent = countCalls(page, 'PUT', /\/devices\//)
    await signInAt(page, 'vendor2', '/devices?cmd=device.explode')
    await expect(messages(page)).toContainText('“device.explode” does not exist')
    await page.goto('/devices?cmd=vendors.create')
    await expect(messages(page)).toContainText('“Create vendor” is not available to your role')
    // A device of another vendor gives the same message as one that does not exist.
    await page.goto('/devices?cmd=device.flush&ids=30:AE:A4:04:74:8C,02:00:00:00:00:FF')
    await expect(messages(page)).toContainText(/do not exist or are not yours: 30:AE:A4:04:74:8C, 02:00:00:00:00:FF/)
    await expect(palette(page)).toHaveCount(0)
    await page.goto('/devices?cmd=units.volume&unit=pints&colour=red')
    await expect(palette(page).getByRole('combobox', { name: 'Unit', exact: true })).toBeFocused()
    await expect(palette(page).getByRole('alert')).toContainText('“pints” is not valid for Unit')
    await expect(palette(page).getByRole('alert')).toContainText('has no argument “colour”')
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
    expect(sent).toEqual([])
  })
  await logOut(page)
  await page.evaluate(() => localStorage.clear())
  await test.step('a link with a policy opens the preview with it, and one with a wrong policy says so', async () => {
    const sent = countCalls(page, 'POST', /\/jobs$/)
    await signInAt(page, 'admin', `/devices?cmd=device.lock&ids=${targets.join(',')}&policy=waves+often`)
    await expect(messages(page)).toContainText('The link’s policy for “Lock” is wrong: “waves often” is not understood')
    await expect(palette(page)).toHaveCount(0)
    await page.goto(`/devices?cmd=device.lock&match=${first}&in=bssid&policy=waves+1%25+10%25+wait+7d+until+30d`)
    await expect(palette(page).getByRole('option', { name: 'Lock: 1 device' })).toBeVisible()
    await page.keyboard.press('Enter')
    const dialog = preview(page, 'Lock: 1 device')
    await expect(dialog.getByRole('button', { name: /^Waves/ })).toContainText('1% 10%')
    await expect(dialog.getByRole('button', { name: /^Offline/ })).toContainText('wait 7d')
    await expect(dialog.getByRole('button', { name: /^New matches/ })).toContainText('until 20')
    await expect(dialog.getByRole('status')).toContainText('1 will lock')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    expect(sent).toEqual([])

    await openPalette(page)
    await page.keyboard.type('>lock rate 5')
    await expect(palette(page).getByRole('option', { selected: true })).toContainText('rate 5')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.keyboard.press('Control+Shift+L')
    await expect(palette(page).getByRole('button', { name: 'link copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/cmd=device\.lock.*&policy=rate\+5$/)
  })
})

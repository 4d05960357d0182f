/** Sharing a device with a code that is valid for ten minutes. */
import { expect, signIn, test } from '../support/fixtures.ts'
import { focusDevice, loaded, messages } from '../support/devices.ts'

// A fake clock cannot be removed from a context.
test.use({ ownContext: true })

test('sharing a device shows a code with a countdown, as text to copy and as a QR code', async ({
  page,
  context,
  ownDevices,
}) => {
  const [bssid = ''] = await ownDevices(1)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await signIn(page, 'admin')
  await loaded(page)
  await focusDevice(page, bssid)
  await page.keyboard.press('h')
  const dialog = page.getByRole('dialog', { name: `Share ${bssid}` })
  await expect(dialog).toBeVisible()
  const qr = dialog.getByRole('img')
  const code = ((await qr.getAttribute('alt')) ?? '').replace('QR code of ', '')
  // Crockford's base 32: no I, L, O, U.
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
  await expect(dialog.getByText(code, { exact: true })).toBeVisible()
  expect(await qr.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(20)

  const timer = dialog.getByRole('timer')
  await expect(timer).toHaveText(/^Valid for (10:00|9:5\d)$/)
  await page.clock.fastForward(60_000)
  await expect(timer).toHaveText(/^Valid for (9:00|8:[45]\d)$/)

  const copy = dialog.getByRole('button', { name: 'Copy code' })
  await expect(copy).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText('Code copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)

  await page.clock.fastForward(9 * 60_000)
  await expect(timer).toHaveText('This code has expired')
  await expect(copy).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // Sharing again creates another code.
  await page.keyboard.press('h')
  await expect(dialog).toBeVisible()
  await expect(dialog.getByText(code, { exact: true })).toHaveCount(0)
})

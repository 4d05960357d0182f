/** Passkeys, with an authenticator that the browser simulates, and the keyboard. */
import { callerFor, newVendor } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { expect, logOut, signInByForm, test } from '../support/fixtures.ts'
import { expectMessage, ready, submit, typeInto } from '../support/lists.ts'

const password = 'a-vendors-own-password'

// A simulated authenticator belongs to its page.
test.use({ ownContext: true })

test('a passkey is added in the profile, used at login, and removed', async ({ page, context, server }) => {
  test.slow()
  const { login } = await newVendor(await callerFor(server.url, 'admin'))
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })

  await signInByForm(page, login, password)
  await ready(page)
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  const form = page.getByRole('form', { name: 'Add passkey' })
  await expect(form.getByLabel('Current password')).toBeVisible()
  await expect(form.getByLabel('Code')).toHaveCount(0)
  await typeInto(page, form.getByRole('textbox', { name: 'Name' }), 'Laptop')
  await typeInto(page, form.getByLabel('Current password'), password)
  await submit(page)
  await expectMessage(page, 'Passkey added')
  const recoveryCodes = page.getByRole('list', { name: 'Recovery codes' })
  await expect(recoveryCodes.getByRole('listitem')).toHaveCount(10)
  const region = page.getByRole('region', { name: 'Passkeys' })
  await expect(region.getByRole('listitem')).toHaveText(/^LaptopAdded .* · Never used/)
  await check(page, 'the profile with a passkey', 'main')
  // Esc leaves the form, where g and q would be typed.
  await form.getByRole('textbox', { name: 'Name' }).press('Escape')
  await logOut(page)

  // The login asks for it after the password. Who cancels can try again.
  await page.getByRole('textbox', { name: 'Login' }).fill(login)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  const use = page.getByRole('button', { name: 'Use a passkey' })
  await expect(use).toBeVisible()
  await check(page, 'the login with a passkey', 'main')
  const verifies = (isUserVerified: boolean) =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  await verifies(false)
  await use.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('No passkey was used: it was cancelled, or took too long')
  await verifies(true)
  await use.press('Enter')
  await expect(page).toHaveURL(/\/devices$/)
  await ready(page)

  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(region.getByRole('listitem')).toContainText('Last used')

  // Another one needs this one, which the browser is asked for without a code. It then refuses a copy of it.
  await expect(form.getByLabel('Code')).toBeVisible()
  await typeInto(page, form.getByRole('textbox', { name: 'Name' }), 'Copy')
  await typeInto(page, form.getByLabel('Current password'), password)
  await submit(page)
  await expectMessage(page, 'This device or password manager already has a passkey of your account')
  await form.getByRole('textbox', { name: 'Name' }).press('Escape')

  await region.getByRole('button', { name: 'Remove passkey Laptop' }).click()
  await expect(page.getByRole('dialog').getByLabel('Current password')).toBeFocused()
  await page.keyboard.insertText(password)
  await page.keyboard.press('Enter')
  // Without a code, the browser is asked for a passkey.
  await expect(page.getByRole('dialog').getByLabel('Code')).toBeFocused()
  await page.keyboard.press('Enter')
  await expectMessage(page, 'Passkey removed')
  await expect(region.getByRole('listitem')).toHaveCount(0)
  await expect(region.getByRole('heading', { name: 'Passkeys' })).toBeFocused()
})

/** The second factor and the sessions of the profile, with the keyboard alone. */
import { type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { callerFor, newVendor } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { expectMessage, messages, ready, submit, typeInto } from '../support/lists.ts'

const password = 'a-vendors-own-password'
const form = (page: Page, name: string) => page.getByRole('form', { name })

/** Returns the code that an authenticator shows a number of time steps from now. */
const codeOf = (key: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** Returns the key of the authenticator that is set up. */
async function shownKey(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  const shown = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()
  return (shown ?? '').replaceAll(' ', '')
}

test('a second factor is set up and replaced in the profile, asked for at login, and its sessions are ended there', async ({
  page,
  server,
  browser,
}) => {
  test.slow()
  const { login } = await newVendor(await callerFor(server.url, 'admin'))
  const elsewhere = await callerFor(server.url, login, password)
  await signIn(page, login, password)
  await ready(page)
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  const start = form(page, 'Set up second factor')
  await expect(start).toBeVisible()

  // Another session is listed, and ended.
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByRole('listitem').first()).toContainText('This session')
  await check(page, 'the profile with a second factor to set up and with sessions')
  await sessions.getByRole('button', { name: /^End session of/ }).focus()
  await page.keyboard.press('Enter')
  await expectMessage(page, 'Session ended')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  expect(await elsewhere.status('GET', '/api/v3/devices')).toBe(401)

  await typeInto(page, start.getByLabel('Current password'), password)
  await submit(page)
  // Each step has the focus when it shows.
  const enteredCode = form(page, 'Confirm second factor').getByRole('textbox', { name: 'Code' })
  await expect(enteredCode).toBeFocused()
  const key = await shownKey(page)
  await typeInto(page, enteredCode, codeOf(key, 40))
  await submit(page)
  await expectMessage(page, 'The code is wrong')
  await typeInto(page, enteredCode, codeOf(key))
  await submit(page)
  const codes = page.getByRole('list', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const [recoveryCode = '', secondCode = ''] = await codes.getByRole('listitem').allTextContents()
  await check(page, 'the profile with recovery codes', 'main')
  await expect(page.getByRole('button', { name: 'Download' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Done' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(codes).toHaveCount(0)
  await expect(page.getByRole('heading', { name: /^Second factor/ })).toBeFocused()
  await expect(form(page, 'Turn off second factor')).toBeVisible()

  // Another phone takes the place of the first; until then it can be called off.
  const replace = form(page, 'Replace authenticator')
  const startReplacing = async (provedBy: string) => {
    await typeInto(page, replace.getByLabel('Current password'), password)
    await typeInto(page, replace.getByRole('textbox', { name: 'Code' }), provedBy)
    await submit(page)
    await expect(newCode).toBeFocused()
  }
  const newCode = form(page, 'Confirm new authenticator').getByRole('textbox', { name: 'Code' })
  await startReplacing(codeOf(key, 1))
  await page.getByRole('button', { name: 'Cancel setup' }).press('Enter')
  await expect(replace).toBeVisible()
  await startReplacing(secondCode)
  const nextKey = await shownKey(page)
  await check(page, 'the profile with a new authenticator', 'main')
  // The message of the first wrong code must not be taken for that of the next.
  await expect(messages(page).getByText('The code is wrong')).toHaveCount(0)
  await typeInto(page, newCode, codeOf(key, 1))
  await submit(page)
  await expectMessage(page, 'The code is wrong')
  await typeInto(page, newCode, codeOf(nextKey))
  await submit(page)
  await expectMessage(page, 'Authenticator replaced. Your other sessions and API keys have ended')
  await expect(replace).toBeVisible()

  // Another browser is asked for a code after the password.
  const context = await browser.newContext({ baseURL: server.url })
  const other = await context.newPage()
  await other.goto('/login')
  await other.getByRole('textbox', { name: 'Login' }).fill(login)
  await other.getByLabel('Password').fill(password)
  await other.keyboard.press('Enter')
  const code = other.getByRole('textbox', { name: 'Code' })
  await expect(code).toBeFocused()
  await other.keyboard.insertText('123-456')
  await other.keyboard.press('Enter')
  await expect(other.getByRole('form').getByRole('alert')).toHaveText('The code is wrong')
  await code.fill(recoveryCode)
  await other.keyboard.press('Enter')
  await expect(other).toHaveURL(/\/devices$/)

  // All others end together.
  await page.reload()
  const endOthers = sessions.getByRole('button', { name: 'End all other sessions' })
  await endOthers.focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /End sessions/ })
    .press('Enter')
  await expectMessage(page, '1 session ended')
  await other.reload()
  await expect(other).toHaveURL(/\/login$/)
  await context.close()
})

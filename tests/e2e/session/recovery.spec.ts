/** Password recovery and confirmation of an email address, with the links from the mails in the outbox. */
import { readOutbox, type ReadMail } from '../../support/outbox.ts'
import { demoPassword, callerFor, unique } from '../support/api.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { messages, tabTo, typeInto } from '../support/lists.ts'

const sent = 'Email has been sent to the specified email address'

/** Waits until the outbox has `count` mails to an address, and returns the newest. */
async function mailTo(dataDir: string, to: string, count = 1): Promise<ReadMail> {
  const mails = async () => (await readOutbox(dataDir)).filter(mail => mail.to.includes(to))
  await expect.poll(async () => (await mails()).length, `mails to ${to}`).toBe(count)
  return (await mails()).at(-1)!
}

test('a forgotten password is reset with the mailed link, which works only once', async ({ page, server }) => {
  const login = `${unique('forgot')}@example.com`
  const superadmin = await callerFor(server.url, 'superadmin')
  const account = { login, password: demoPassword, first_name: 'Finn', last_name: 'Forgetful' }
  await superadmin.call('POST', '/api/v3/admins', account)
  const elsewhere = await callerFor(server.url, login)

  await page.goto('/')
  await tabTo(page, page.getByRole('link', { name: 'Forgot password' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/forgot(\?|$)/)
  // The login screen, which also has a field Login, stays visible until the next screen has been loaded.
  const field = page.getByRole('form', { name: 'Forgot password' }).getByRole('textbox', { name: 'Login' })
  await tabTo(page, field)
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription('Login is required')
  await page.keyboard.type(login)
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText(sent)

  const mail = await mailTo(server.dataDir, login)
  expect(new URL(mail.link).origin).toBe(server.url)
  expect(mail.html).toContain(mail.link.replaceAll('&', '&amp;'))
  await page.goto(mail.link)
  await expect(page).toHaveURL(/\/password\/restore\/\?token=/)
  const first = page.getByLabel('New password', { exact: true })
  const second = page.getByLabel('Repeat password', { exact: true })
  await expect(first).toBeFocused()
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await expect(first).toHaveAccessibleDescription('New password must be at least 8 characters')
  await typeInto(page, first, 'remembered-from-now-on')
  await typeInto(page, second, 'remembered-from-then-on')
  await page.keyboard.press('Enter')
  await expect(second).toHaveAccessibleDescription('Passwords must match')
  await typeInto(page, second, 'remembered-from-now-on')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('Password changed successfully')
  expect(await elsewhere.status('GET', '/api/v3/vendors')).toBe(401)
  await tabTo(page, page.getByRole('link', { name: 'Back to login' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login(\?|$)/)
  await signIn(page, login, 'remembered-from-now-on')
  await expect(page).toHaveURL(/\/devices(\?|$)/)

  // A used link and unknown ones show an error and keep the typed password.
  for (const link of [mail.link, `${server.url}/password/restore/?token=never`, `${server.url}/password/restore/`]) {
    await page.goto(link)
    await expect(first).toBeFocused()
    await page.keyboard.type('another-one-altogether')
    await typeInto(page, second, 'another-one-altogether')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('form').getByRole('alert')).not.toBeEmpty()
    await expect(first).toHaveValue('another-one-altogether')
  }
  await callerFor(server.url, login, 'remembered-from-now-on')
})

test('an unknown login gets the same answer as a known one, no mail is sent, and a link leads back to the login', async ({
  page,
  server,
}) => {
  await test.step('an unknown login gets the same answer as a known one, and no mail is sent', async () => {
    const before = (await readOutbox(server.dataDir)).length
    const nobody = `${unique('nobody')}@example.com`
    await page.goto('/forgot')
    await expect(page.getByRole('textbox', { name: 'Login' })).toBeFocused()
    await page.keyboard.type(nobody)
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText(sent)
    // The mail for a known login, requested later, has arrived; so an earlier one would have arrived too.
    const login = `${unique('known')}@example.com`
    const superadmin = await callerFor(server.url, 'superadmin')
    await superadmin.call('POST', '/api/v3/admins', {
      login,
      password: demoPassword,
      first_name: 'Ada',
      last_name: 'Moss',
    })
    await page.goto('/forgot')
    await expect(page.getByRole('textbox', { name: 'Login' })).toBeFocused()
    await page.keyboard.type(login)
    await page.keyboard.press('Enter')
    await mailTo(server.dataDir, login)
    const mails = await readOutbox(server.dataDir)
    expect(mails.filter(mail => mail.to.includes(nobody))).toEqual([])
    expect(mails).toHaveLength(before + 1)
  })
  await test.step('the link Back leads from the forgotten password to the login', async () => {
    await tabTo(page, page.getByRole('link', { name: 'Back' }))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/login(\?|$)/)
  })
})

test('an email address is confirmed by the link in its mail, which works only once', async ({ page, server }) => {
  const person = 'jonas.weber@example.com'
  // The mail was written when the demo was seeded, with the origin of that server.
  const { pathname, search } = new URL((await mailTo(server.dataDir, person)).link)
  const link = `${pathname}${search}`
  await page.goto(link)
  await expect(page).toHaveURL(/\/email\/confirm\/\?token=/)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  const confirm = page.getByRole('button', { name: 'Confirm', exact: true })
  await tabTo(page, confirm)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('Email address confirmed successfully')

  await page.goto(link)
  await tabTo(page, confirm)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('form').getByRole('alert')).toHaveText('This link is no longer valid')

  const admin = await callerFor(server.url, 'admin')
  const users = (await admin.call('GET', `/api/v3/users?column=email&search=${person}`)) as { data: unknown[] }
  expect(users.data).toMatchObject([{ login: person, email_confirmed: true }])
})

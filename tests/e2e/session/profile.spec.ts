/** A person's own profile and password, with the keyboard alone. */
import type { Page } from '@playwright/test'
import { callerFor, newVendor, unique } from '../support/api.ts'
import { expect, signInAt, test } from '../support/fixtures.ts'
import { countCalls, expectMessage, submit, typeInto } from '../support/lists.ts'

const password = 'a-vendors-own-password'
const profile = (page: Page) => page.getByRole('form', { name: 'Edit profile' })
const passwords = (page: Page) => page.getByRole('form', { name: 'Change password' })

/** Signs in and loads the console at the profile. */
async function openProfile(page: Page, login: string) {
  await signInAt(page, login, '/profile', password)
  await expect(profile(page)).toBeVisible()
}

test('an administrator can change their own name, and only the changed field is sent', async ({ page, server }) => {
  const login = unique('admin')
  const superadmin = await callerFor(server.url, 'superadmin')
  const names = { first_name: 'Ada', last_name: 'Before' }
  await superadmin.call('POST', '/api/v3/admins', { login, password, ...names })
  await openProfile(page, login)
  const field = (name: string) => profile(page).getByRole('textbox', { name, exact: true })
  await expect(profile(page).getByRole('textbox')).toHaveCount(4)
  await expect(field('Login')).toHaveValue(login)
  await expect(field('First name')).toHaveValue('Ada')
  await expect(field('Last name')).toHaveValue('Before')
  const calls = countCalls(page, 'PATCH', /\/admins\/me\/profile$/)
  await typeInto(page, field('Login'), '')
  await submit(page)
  await expect(field('Login')).toHaveAccessibleDescription('Login is required')
  // Esc restores the field.
  await page.keyboard.press('Escape')
  await expect(field('Login')).toHaveValue(login)
  await typeInto(page, field('Last name'), 'After')
  await submit(page)
  await expectMessage(page, 'Profile updated successfully')
  expect(calls).toEqual([{ body: { last_name: 'After' } }])
  await page.reload()
  await expect(field('Last name')).toHaveValue('After')
  await expect(field('First name')).toHaveValue('Ada')
  // Recovery mails go to the login, so the password is asked for.
  const another = `${login}-renamed`
  await typeInto(page, field('Login'), another)
  await submit(page)
  await expect(field('Current password')).toHaveAccessibleDescription('Current password is required')
  await expect(field('Current password')).toBeFocused()
  await typeInto(page, field('Current password'), password)
  await submit(page)
  await expectMessage(page, 'Profile updated successfully')
  expect(calls.at(-1)).toEqual({ body: { login: another, current_password: password } })
})

test('a vendor changes the company name and description, and the password, which keeps this session and ends all others', async ({
  page,
  server,
}) => {
  test.slow()
  const { login } = await newVendor(await callerFor(server.url, 'admin'))
  await openProfile(page, login)
  await test.step('a vendor can change the company name and description in their own profile', async () => {
    const field = (name: string) => profile(page).getByRole('textbox', { name, exact: true })
    const calls = countCalls(page, 'PATCH', /\/vendors\/me\/profile$/)
    await expect(profile(page).getByRole('textbox')).toHaveCount(7)
    await expect(field('Company name')).toHaveValue(`Company of ${login}`)
    await expect(field('Company address')).toHaveValue('Quay 1')
    await typeInto(page, field('Company name'), 'Nordquell')
    await typeInto(page, field('Description'), 'Since 1987')
    await submit(page)
    await expectMessage(page, 'Profile updated successfully')
    expect(calls).toEqual([{ body: { company_name: 'Nordquell', description: 'Since 1987' } }])
  })
  await test.step('changing one’s own password keeps this session and ends all others', async () => {
    const elsewhere = await callerFor(server.url, login, password)
    const secret = (name: string) => passwords(page).getByLabel(name, { exact: true })
    await typeInto(page, secret('Current password'), 'not the password')
    await typeInto(page, secret('New password'), 'chosen-by-the-vendor')
    await typeInto(page, secret('Repeat password'), 'chosen-by-the-vendor')
    await submit(page)
    await expectMessage(page, 'Current password is wrong')
    await expect(secret('New password')).toHaveValue('chosen-by-the-vendor')
    await typeInto(page, secret('Current password'), password)
    await submit(page)
    await expectMessage(page, 'Password changed successfully')
    await expect(secret('New password')).toHaveValue('')
    expect(await elsewhere.status('GET', '/api/v3/devices')).toBe(401)
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await expect(page).toHaveURL(/\/devices(\?|$)/)
    await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false')
    await callerFor(server.url, login, 'chosen-by-the-vendor')
  })
})

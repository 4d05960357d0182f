/** Signing in, signing out, and the state that a reload keeps. */
import type { Page } from '@playwright/test'
import { callerFor, demoPassword, newCredential } from '../support/api.ts'
import { enterLogin, expect, logOut, signIn, signInAt, signInByForm, test } from '../support/fixtures.ts'
import {
  enterList,
  grid,
  header,
  loaded,
  messages,
  searchField,
  selectedCount,
  selectedRows,
} from '../support/devices.ts'
import { columnValues } from '../support/lists.ts'
import { intercept } from '../support/intercept.ts'

const login = (page: Page) => page.getByRole('textbox', { name: 'Login' })
const password = (page: Page) => page.getByRole('textbox', { name: 'Password' })

test('signing in leads to the devices; logging out with the keyboard ends the session and clears theme, list and selection', async ({
  page,
}) => {
  test.slow()
  await test.step('signing in with the keyboard alone leads to the devices', async () => {
    await signInByForm(page, 'admin')
    await expect(page).toHaveURL(/\/devices(\?|$)/)
    await expect(page).toHaveTitle('Devices · Permeate')
    await expect(grid(page)).toHaveAttribute('aria-rowcount', /\d{4}/)
    await expect(page.getByRole('button', { name: 'Account' })).toContainText('admin')
  })
  await test.step('logging out ends the session and clears theme, list and selection', async () => {
    await page.keyboard.press('t')
    await changeList(page)
    const logout = page.waitForResponse(response => response.url().endsWith('/auth/logout'))
    await logOut(page)
    expect((await logout).status()).toBe(200)
    // Loading the address leads to the login.
    await page.goto('/devices')
    await expect(page).toHaveURL(/\/login(\?|$)/)
    await signIn(page, 'admin')
    await loaded(page)
    await selectedCount(page, 0)
    await expect(selectedRows(page)).toHaveCount(0)
    await expect(searchField(page)).toHaveValue('')
    await expect(page.getByText(/^page 1 of/)).toBeVisible()
    await expect(header(page, 'Press. (bar)')).toHaveAttribute('aria-sort', 'none')
    await expect(page.getByRole('combobox', { name: 'Rows per page' })).toHaveValue('20')
    await expect(page.getByRole('combobox', { name: 'Search operator' })).toHaveValue('co')
    await expect.poll(() => scheme(page)).toBe('light')
  })
})

test('a login without fields, with wrong ones or by an end user shows an error and keeps the typed values', async ({
  page,
}) => {
  test.slow()
  await test.step('the login form reports missing fields and sends nothing', async () => {
    let sent = 0
    await intercept(page, '**/auth/login/**', route => {
      sent++
      return route.continue()
    })
    await page.goto('/login')
    await expect(login(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Login is required')).toBeVisible()
    await expect(page.getByText('Password is required')).toBeVisible()
    await expect(login(page)).toHaveAccessibleDescription('Login is required')
    await page.keyboard.type('admin')
    await expect(page.getByText('Login is required')).toBeHidden()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Password is required')).toBeVisible()
    expect(sent).toBe(0)
  })
  await test.step('an end user is refused at login with the reason', async () => {
    await login(page).fill('user@example.com')
    await password(page).fill(demoPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('form').getByRole('alert')).toHaveText('This account has no access to the dashboard')
    await page.reload()
    await expect(login(page)).toBeFocused()
  })
  await test.step('a wrong login shows an error and keeps the typed values', async () => {
    await expect(login(page)).toBeFocused()
    await page.keyboard.type('nobody')
    await page.keyboard.press('Tab')
    await page.keyboard.type('not the password')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('form').getByRole('alert')).toHaveText('Wrong login or password')
    await expect(messages(page).getByText('Wrong login or password')).toBeVisible()
    await expect(login(page)).toHaveValue('nobody')
    await expect(password(page)).toHaveValue('not the password')
    await expect(page).toHaveURL(/\/login(\?|$)/)
    // The values can be corrected and submitted again.
    await login(page).fill('admin')
    await password(page).fill(demoPassword)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/devices(\?|$)/)
  })
})

const scheme = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)

/** Sets a selection, a sort, a page size, a search and a page. */
async function changeList(page: Page) {
  await loaded(page)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await selectedCount(page, 2)
  await header(page, 'Press. (bar)').getByRole('button').click()
  await expect(header(page, 'Press. (bar)')).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50')
  await page.getByRole('combobox', { name: 'Search column' }).selectOption('Model')
  await page.getByRole('combobox', { name: 'Search operator' }).selectOption('starts with')
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await page.keyboard.insertText('RO-200')
  await expect.poll(async () => new Set(await columnValues(page, 'Model'))).toEqual(new Set(['RO-200 Compact']))
  await enterList(page)
  await page.keyboard.press(']')
  await expect(page.getByText(/^page 2 of/)).toBeVisible()
  await loaded(page)
}

test('a reload keeps the theme, the list and the selection, a logout that fails still ends the session, and targets are 40 px high in a narrow window', async ({
  page,
}) => {
  test.slow()
  await test.step('a reload keeps the theme, the list and the selection', async () => {
    await signIn(page, 'admin')
    await loaded(page)
    await page.keyboard.press('t')
    await expect.poll(() => scheme(page)).toBe('dark')
    await changeList(page)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Firmware' }).click()
    await page.keyboard.press('Escape')
    await expect(header(page, 'Firmware')).toBeVisible()

    await page.reload()
    await loaded(page)
    await expect.poll(() => scheme(page)).toBe('dark')
    await expect(page).toHaveURL(/\/devices(\?|$)/)
    await expect(header(page, 'Firmware')).toBeVisible()
    await expect(header(page, 'Press. (bar)')).toHaveAttribute('aria-sort', 'ascending')
    await expect(page.getByText(/^page 2 of/)).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Rows per page' })).toHaveValue('50')
    await expect(page.getByRole('combobox', { name: 'Search column' })).toHaveValue('model')
    await expect(page.getByRole('combobox', { name: 'Search operator' })).toHaveValue('sw')
    await expect(searchField(page)).toHaveValue('RO-200')
    await selectedCount(page, 2)
  })
  await test.step('a logout that fails still ends the session in this browser', async () => {
    await intercept(page, '**/auth/logout', route => route.abort())
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login(\?|$)/)
    await page.reload()
    await expect(login(page)).toBeFocused()
  })
  await test.step('targets are 40 px high in a narrow window too, without a touch screen', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    const { height } = (await page.getByRole('link', { name: 'Forgot password' }).boundingBox())!
    expect(height).toBeGreaterThanOrEqual(40)
  })
})

test('after a session has ended, signing in opens the page that was open, but not for another person or after a logout', async ({
  page,
  server,
}) => {
  const admin = await callerFor(server.url, 'admin')
  const { bssid } = await newCredential(admin)
  /** Ends the session on the server; the stream notices it. */
  const endSession = async () => {
    const token = await page.evaluate(() => {
      const stored = JSON.parse(localStorage.getItem('permeate:session') ?? '{}') as { accessToken: string }
      return stored.accessToken
    })
    const ended = await page.request.post('/api/v3/auth/logout', { headers: { 'access-token': token }, data: {} })
    expect(ended.status()).toBe(200)
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('The session has ended. Sign in again.')).toBeVisible()
  }
  const title = page.getByRole('heading', { level: 1, name: bssid })
  await signInAt(page, 'admin', `/devices/${bssid}`)
  await expect(title).toBeVisible()
  await endSession()
  await page.reload()
  await enterLogin(page, 'admin')
  await expect(title).toBeVisible()
  await endSession()
  await enterLogin(page, 'vendor')
  await loaded(page)
  await expect(page).toHaveURL(/\/devices(\?|$)/)
  await page.goto(`/devices/${bssid}`)
  await expect(title).toBeVisible()
  await logOut(page)
  await enterLogin(page, 'admin')
  await loaded(page)
  await expect(page).toHaveURL(/\/devices(\?|$)/)
})

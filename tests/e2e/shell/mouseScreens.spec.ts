/** The screens of accounts, models and filtration, the profile and recovery, with the mouse alone; only text is typed. */
import type { Page } from '@playwright/test'
import { demoPassword, callerFor, newVendor, unique } from '../support/api.ts'
import { expect, test } from '../support/fixtures.ts'
import { panelReady } from '../support/devices.ts'
import {
  closeMessages,
  form,
  columnHeader,
  messages,
  panel,
  ready,
  rowOf,
  expectMessage,
  searchField,
  table,
  total,
} from '../support/lists.ts'

/** Signs in with the login form. */
async function signInByMouse(page: Page, login: string, password = demoPassword) {
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Login' }).fill(login)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/(admins|devices)$/)
  await ready(page)
}
/** Opens a list from the navigation. */
async function openList(page: Page, name: string) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click()
  await expect(table(page)).toHaveAccessibleName(name)
  await ready(page)
}
const tab = (page: Page, name: string) => panel(page).getByRole('tab', { name }).click()
const press = (page: Page, name: string | RegExp) => panel(page).getByRole('button', { name }).click()
/** Searches for a row, ticks its checkbox and clears the search. */
async function pick(page: Page, name: string) {
  await searchField(page).click()
  await searchField(page).fill(name)
  await expect(table(page)).toHaveAttribute('aria-rowcount', '1')
  await rowOf(page, name).getByRole('checkbox').click()
  await expect(rowOf(page, name)).toHaveAttribute('aria-selected', 'true')
  await searchField(page).fill('')
  await ready(page)
  await panelReady(page)
}
/** Clicks a column header three times: ascending, descending, unsorted. */
async function cycleSort(page: Page, column: string) {
  for (const state of ['ascending', 'descending', 'none']) {
    await columnHeader(page, column).getByRole('button').click()
    await expect(columnHeader(page, column)).toHaveAttribute('aria-sort', state)
  }
  await ready(page)
}
/** Hides a column and shows it again. */
async function toggleColumn(page: Page, column: string) {
  await page.getByRole('button', { name: 'Columns' }).click()
  const entry = page.getByRole('menuitemcheckbox', { name: column, exact: true })
  await entry.click()
  await expect(columnHeader(page, column)).toHaveCount(0)
  await entry.click()
  await expect(columnHeader(page, column)).toHaveCount(1)
  await page.getByRole('heading', { level: 2 }).first().click()
  await expect(entry).toHaveCount(0)
}
async function upload(page: Page, name: string, csv: string) {
  const file = form(page, name).locator('input[type=file]')
  await file.setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await form(page, name).getByRole('button', { name: 'Upload' }).click()
}

test('a superadmin creates, finds, blocks and deletes an administrator with the mouse', async ({ page }) => {
  test.slow()
  const login = unique('mouse')
  await signInByMouse(page, 'superadmin')
  await page
    .getByRole('search')
    .getByRole('button', { name: /^Create/ })
    .click()
  const field = page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox')
  // A click outside the palette closes it on any argument page.
  await expect(field).toBeVisible()
  await page.mouse.click(5, 600)
  await expect(field).toHaveCount(0)
  await tab(page, 'Create')
  const create = form(page, 'Create admin')
  await create.getByRole('textbox', { name: 'Login' }).fill(login)
  await create.getByRole('textbox', { name: 'First name' }).fill('Mia')
  await create.getByRole('textbox', { name: 'Last name' }).fill('Maus')
  await create.getByLabel('Password', { exact: true }).fill('by-mouse-alone')
  await create.getByLabel('Repeat password').fill('by-mouse-alone')
  await create.getByRole('button', { name: 'Create' }).click()
  await expectMessage(page, `Created ${login}`)
  await pick(page, login)
  await cycleSort(page, 'Login')
  await toggleColumn(page, 'Updated')
  await tab(page, 'Control')
  await press(page, /^Block/)
  await expectMessage(page, 'Blocked 1 of 1 admin')
  await press(page, /^Delete/)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 1 admin' }).click()
  await expectMessage(page, 'Deleted 1 of 1 admin')
  await expect(rowOf(page, login)).toHaveCount(0)
})

test('an administrator uses vendors, users, models, groups, cartridge types, systems, profile and history with the mouse', async ({
  page,
  server,
}) => {
  test.slow()
  await signInByMouse(page, 'admin')
  await test.step('an administrator edits and blocks a vendor, and blocks and deletes a user, with the mouse', async () => {
    const { login } = await newVendor(await callerFor(server.url, 'admin'))
    await openList(page, 'Vendors')
    await cycleSort(page, 'Company')
    await toggleColumn(page, 'Address')
    await pick(page, login)
    await tab(page, 'Update')
    const edit = form(page, 'Edit vendor')
    await edit.getByRole('textbox', { name: 'Company name' }).fill('Mausquell')
    await edit.getByRole('button', { name: 'Save' }).click()
    await expectMessage(page, 'Vendor updated')
    await tab(page, 'Control')
    await press(page, /^Block/)
    await expectMessage(page, 'Blocked 1 of 1 vendor')
    await press(page, /^Unblock/)
    await expectMessage(page, 'Unblocked 1 of 1 vendor')
    await press(page, /^Delete/)
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Cancel/ })
      .click()
    // The vendor is still selected, whichever page of the list it is on.
    await expect(page.getByRole('group', { name: 'Selection' })).toContainText('1 selected')

    await openList(page, 'Users')
    const person = 'tomas.novak@example.com'
    await rowOf(page, person).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Block/ }).click()
    await expectMessage(page, 'Blocked 1 of 1 user')
    await rowOf(page, person).hover()
    await rowOf(page, person)
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: /^Delete/ }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('textbox').fill('delete')
    await expect(question.getByRole('button', { name: /^Delete/ })).toBeDisabled()
    await question.getByRole('textbox').fill('DELETE')
    await question.getByRole('button', { name: /^Delete/ }).click()
    await expectMessage(page, 'Deleted 1 of 1 user')
    await expect(rowOf(page, person)).toHaveCount(0)
  })
  await closeMessages(page)
  await test.step('an administrator uses models, groups, cartridge types, systems, profile and history with the mouse', async () => {
    const name = unique('M')
    await openList(page, 'Device models')
    await tab(page, 'Create')
    const create = form(page, 'Create device model')
    await create.getByRole('textbox', { name: 'Name' }).fill(name)
    await create.getByRole('textbox', { name: 'Platform' }).fill('esp32')
    await create.getByRole('checkbox', { name: 'UV module' }).click()
    await create.getByRole('textbox', { name: /^Bypass/ }).fill('0 0 0 0')
    await create.getByRole('button', { name: 'Choices: Vendors' }).click()
    await page.getByRole('option', { name: /^vendor Aqua/ }).click()
    await create.getByRole('button', { name: 'Create' }).click()
    await expectMessage(page, `Created ${name}`)
    await pick(page, name)
    await tab(page, 'Control')
    await press(page, /^Delete/)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 1 device model' }).click()
    await expectMessage(page, 'Deleted 1 of 1 device model')

    await openList(page, 'Filtration System Groups')
    const groups = await total(page)
    await tab(page, 'Create')
    await upload(page, 'Upload groups', 'name\n""\n')
    await expectMessage(page, /Row \d|no rows|empty/i)
    await upload(page, 'Upload groups', `name\n${name}`)
    await expectMessage(page, 'Created 1 group')
    await expect.poll(() => total(page)).toBe(groups + 1)

    await openList(page, 'Cartridge Types')
    await tab(page, 'Create')
    const download = page.waitForEvent('download')
    await press(page, /^\.csv/)
    expect((await download).suggestedFilename()).toMatch(/\.csv$/)
    await cycleSort(page, 'Name')

    await openList(page, 'Filtration Systems')
    await tab(page, 'Create')
    await upload(page, 'Upload filtration systems', `model,group,vendor,flushing,cartridges\n${name},${name},,no,T33`)
    await expectMessage(page, 'Created 1 filtration system')
    await pick(page, name)
    await tab(page, 'Assign')
    await form(page, 'Assign to vendor').getByRole('button', { name: 'Choices: Vendor' }).click()
    await page.getByRole('option', { name: /^vendor5/ }).click()
    await press(page, /^Apply to 1 filtration system/)
    await expectMessage(page, 'Assigned 1 of 1 filtration system')
    await searchField(page).fill(name)
    await expect(rowOf(page, name)).toContainText('Eaux Vives SARL')

    await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: /^Profile/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
    const profile = page.getByRole('form', { name: 'Edit profile' })
    await profile.getByRole('textbox', { name: 'Last name' }).fill('Fischer-Maus')
    await profile.getByRole('button', { name: 'Save' }).click()
    await expectMessage(page, 'Profile updated successfully')
    await page.getByRole('button', { name: 'Search devices or run commands' }).click()
    await page.getByRole('option', { name: /^History/ }).click()
    await expect(table(page)).toHaveAccessibleName('History')
    await ready(page)
    await expect(table(page).getByRole('row').nth(1)).toContainText('Changed own profile')
    await expect(messages(page)).not.toContainText('reached')
  })
})

test('a forgotten password can be reported, and an email address confirmed, with the mouse', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Forgot password' }).click()
  // The login screen, which also has a field Login, stays visible until the next screen has been loaded.
  const form = page.getByRole('form', { name: 'Forgot password' })
  await form.getByRole('textbox', { name: 'Login' }).fill('nobody@example.com')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expectMessage(page, 'Email has been sent to the specified email address')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/login(\?|$)/)
  await page.goto('/email/confirm/?token=never')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('form').getByRole('alert')).toHaveText('This link is no longer valid')
})

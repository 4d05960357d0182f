/** The devices screen on a phone: everything is visible and works by touch. */
import { expect, signIn, test } from '../support/fixtures.ts'
import { grid, loaded, messages, panel, row, rowAt, searchField, shownDevices, palette } from '../support/devices.ts'
import { openSection } from '../support/lists.ts'

test.use({ viewport: { width: 390, height: 800 }, hasTouch: true })

test.beforeEach(async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
})

test('on a phone, nothing on the devices and the settings is wider than the screen', async ({ page }) => {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await overflow()).toBe(0)
  // The toolbar of the selection loads last.
  await expect(page.getByRole('group', { name: 'Selection' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Columns' })).toBeVisible()
  const cutOff = await page
    .getByRole('main')
    .getByRole('button')
    .filter({ visible: true })
    .evaluateAll(buttons =>
      buttons
        // Only the table scrolls horizontally.
        .filter(button => !button.closest('[role=grid]') && button.getBoundingClientRect().right > 390)
        .map(button => button.textContent),
    )
  expect(cutOff).toEqual([])
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  expect(await overflow()).toBe(0)
})

test('on a phone, the navigation opens over the page and closes by a tap beside it or on a link', async ({ page }) => {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation).toHaveCount(0)
  await page.getByRole('button', { name: 'Side navigation open or closed' }).tap()
  await expect(navigation).toBeVisible()
  expect((await grid(page).boundingBox())?.width).toBe(390)
  await page.getByRole('button', { name: 'Close overlay' }).tap({ position: { x: 350, y: 300 } })
  await expect(navigation).toHaveCount(0)
  await page.getByRole('button', { name: 'Side navigation open or closed' }).tap()
  await navigation.getByRole('link', { name: /^Charts/ }).tap()
  await expect(page).toHaveURL(/\/charts(\?|$)/)
  await expect(navigation).toHaveCount(0)
})

test('on a phone, the panel opens over the page, and its commands run', async ({ page }) => {
  const [, , , id = ''] = await shownDevices(page)
  await expect(panel(page)).toHaveCount(0)
  await row(page, id).getByRole('checkbox').tap()
  await page.getByRole('button', { name: 'Side panel open or closed' }).tap()
  await expect(panel(page)).toHaveAccessibleName(id)
  const box = (await panel(page).boundingBox())!
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(390)
  await panel(page).getByRole('tab', { name: 'Control' }).tap()
  await panel(page)
    .getByRole('button', { name: /^Unlock/ })
    .tap()
  await expect(messages(page)).toContainText('Unlocked 1 of 1 device')
  await panel(page).getByRole('button', { name: 'Close the side panel' }).tap()
  await expect(panel(page)).toHaveCount(0)
})

test('text typed into the panel is kept for its device when another section is opened or the panel is closed', async ({
  page,
}) => {
  const [first = '', second = ''] = await shownDevices(page)
  const toggle = page.getByRole('button', { name: 'Side panel open or closed' })
  await row(page, first).getByRole('checkbox').tap()
  await toggle.tap()
  await panel(page).getByRole('tab', { name: 'Settings' }).tap()
  await panel(page).getByLabel('Volume').fill('3.5')
  await panel(page).getByRole('tab', { name: 'Control' }).tap()
  await panel(page).getByRole('tab', { name: 'Settings' }).tap()
  await expect(panel(page).getByLabel('Volume')).toHaveValue('3.5')
  await panel(page).getByRole('button', { name: 'Close the side panel' }).tap()
  await expect(panel(page)).toHaveCount(0)
  // The form of another device does not contain it.
  await row(page, second).getByRole('checkbox').tap()
  await row(page, first).getByRole('checkbox').tap()
  await toggle.tap()
  await expect(panel(page)).toHaveAccessibleName(second)
  await expect(panel(page).getByLabel('Volume')).not.toHaveValue('3.5')
  await panel(page).getByRole('button', { name: 'Close the side panel' }).tap()
  await row(page, first).getByRole('checkbox').tap()
  await row(page, second).getByRole('checkbox').tap()
  await toggle.tap()
  await expect(panel(page)).toHaveAccessibleName(first)
  await expect(panel(page).getByLabel('Volume')).toHaveValue('3.5')
  await panel(page).getByRole('button', { name: 'Reset' }).tap()
  await expect(panel(page).getByLabel('Volume')).not.toHaveValue('3.5')
})

test('on a phone, a section of the panel that is opened by key gets the focus, even the first time', async ({
  page,
}) => {
  await expect(panel(page)).toHaveCount(0)
  await openSection(page, 'Control')
  await expect(panel(page).getByRole('tab', { name: 'Control' })).toBeFocused()
})

test('on a phone, the labels of radio buttons in the panel are not cut off', async ({ page }) => {
  const [id = ''] = await shownDevices(page)
  await row(page, id).getByRole('checkbox').tap()
  await page.getByRole('button', { name: 'Side panel open or closed' }).tap()
  await panel(page).getByRole('tab', { name: 'Settings' }).tap()
  const choices = panel(page).getByRole('radio')
  await expect(choices.filter({ hasText: 'Save membrane' })).toBeVisible()
  const cutOff = await choices.evaluateAll(all =>
    all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
  )
  expect(cutOff).toEqual([])
})

test('on a phone, the table scrolls horizontally while its key column stays in place', async ({ page }) => {
  const [id = ''] = await shownDevices(page)
  const key = rowAt(page, 1).getByText(id)
  const before = (await key.boundingBox())!
  const far = grid(page).getByRole('columnheader', { name: 'Description' })
  await expect(far).not.toBeInViewport()
  await far.scrollIntoViewIfNeeded()
  await expect(far).toBeInViewport()
  expect((await key.boundingBox())!.x).toBe(before.x)
  await expect(key).toBeInViewport()
})

test('on a phone, the settings open from the account menu', async ({ page }) => {
  await page.getByRole('button', { name: 'Account' }).tap()
  await page.getByRole('menuitem', { name: /^Settings/ }).tap()
  await expect(page).toHaveURL(/\/settings(\?|$)/)
})

test('on a phone, the search that defines the selection is shown in full', async ({ page }) => {
  await searchField(page).fill('30:AE:A4:02')
  await expect(grid(page)).not.toHaveAttribute('aria-rowcount', '1200')
  await loaded(page)
  const bar = page.getByRole('group', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Select', exact: true }).tap()
  await page.getByRole('menuitem', { name: /^Select all/ }).tap()
  const source = bar.getByText('from Device contains “30:AE:A4:02”')
  await expect(source).toBeVisible()
  const hidden = await source.evaluate(element => element.scrollWidth - element.clientWidth)
  expect(hidden).toBe(0)
  await expect(source).toBeInViewport({ ratio: 1 })
})

test('paging, search, row menu, palette, settings and logout work by touch', async ({ page }) => {
  await page.getByRole('button', { name: 'Next page' }).tap()
  await expect(page.getByText(/^21–40 of/)).toBeVisible()
  await searchField(page).tap()
  await searchField(page).fill('30:AE:A4:0B:8B:C6')
  await expect(page.getByText('1–1 of 1')).toBeVisible()
  await page.getByRole('button', { name: 'Actions for 30:AE:A4:0B:8B:C6' }).tap()
  await page.getByRole('menuitem', { name: /^Lock/ }).tap()
  await expect(messages(page)).toContainText('Locked 1 of 1 device')
  await page.getByRole('button', { name: 'Search devices or run a command' }).tap()
  await palette(page).getByRole('combobox').fill('settings')
  await palette(page)
    .getByRole('option', { name: /^Settings/ })
    .tap()
  await expect(page).toHaveURL(/\/settings(\?|$)/)
  await page.getByRole('button', { name: 'Account' }).tap()
  await page.getByRole('menuitem', { name: 'Logout' }).tap()
  await expect(page).toHaveURL(/\/login(\?|$)/)
})

/** The devices screen on a phone: everything is visible and works by touch. */
import type { Page } from '@playwright/test'
import { expect, signIn, test, visit } from '../support/fixtures.ts'
import {
  grid,
  loaded,
  messages,
  panel,
  row,
  rowAt,
  searchField,
  shownDevices,
  palette,
  clearList,
} from '../support/devices.ts'
import { holdRequests } from '../support/holdRequests.ts'
import { backToDevices, openSection } from '../support/lists.ts'

test.use({ viewport: { width: 390, height: 800 }, hasTouch: true })

/** Closes the panel and clears the selection. */
async function leavePanel(page: Page) {
  await panel(page).getByRole('button', { name: 'Close the side panel' }).tap()
  await expect(panel(page)).toHaveCount(0)
  await clearList(page)
}

test('on a phone, the navigation, paging, search, row menu, palette, settings and logout work by touch', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('the navigation opens over the page, and the settings from the account menu', async () => {
    await test.step('the navigation opens over the page and closes by a tap beside it or on a link', async () => {
      const navigation = page.getByRole('navigation', { name: 'Main' })
      await expect(navigation).toHaveCount(0)
      await page.getByRole('button', { name: 'Toggle side navigation' }).tap()
      await expect(navigation).toBeVisible()
      expect((await grid(page).boundingBox())?.width).toBe(390)
      await page.getByRole('button', { name: 'Close overlay' }).tap({ position: { x: 350, y: 300 } })
      await expect(navigation).toHaveCount(0)
      await page.getByRole('button', { name: 'Toggle side navigation' }).tap()
      await navigation.getByRole('link', { name: /^Charts/ }).tap()
      await expect(page).toHaveURL(/\/charts(\?|$)/)
      await expect(navigation).toHaveCount(0)
    })
    await test.step('the settings open from the account menu', async () => {
      await page.getByRole('banner').getByRole('button', { name: 'Account' }).tap()
      await page.getByRole('menuitem', { name: /^Settings/ }).tap()
      await expect(page).toHaveURL(/\/settings(\?|$)/)
    })
  })
  await backToDevices(page)
  await test.step('paging, search, row menu, palette, settings and logout work by touch', async () => {
    await page.getByRole('button', { name: 'Next page' }).tap()
    await expect(page.getByText(/^21–40 of/)).toBeVisible()
    await searchField(page).tap()
    await searchField(page).fill('30:AE:A4:0B:8B:C6')
    await expect(page.getByText('1–1 of 1')).toBeVisible()
    await page.getByRole('button', { name: 'Actions for 30:AE:A4:0B:8B:C6' }).tap()
    await page.getByRole('menuitem', { name: /^Lock/ }).tap()
    await expect(messages(page)).toContainText('Locked 1 of 1 device')
    await page.getByRole('button', { name: 'Search devices or run commands' }).tap()
    await palette(page).getByRole('combobox').fill('settings')
    await palette(page)
      .getByRole('option', { name: /^Settings/ })
      .tap()
    await expect(page).toHaveURL(/\/settings(\?|$)/)
    await page.getByRole('banner').getByRole('button', { name: 'Account' }).tap()
    await page.getByRole('menuitem', { name: 'Logout' }).tap()
    await expect(page).toHaveURL(/\/login(\?|$)/)
  })
})

test('on a phone, sections of the panel get the focus by key, show their labels in full, run commands, and keep typed text for its device', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('sections of the panel get the focus by key, show their labels in full, and run commands', async () => {
    await test.step('a section of the panel that is opened by key gets the focus, even the first time', async () => {
      await expect(panel(page)).toHaveCount(0)
      await openSection(page, 'Control')
      await expect(panel(page).getByRole('tab', { name: 'Control' })).toBeFocused()
    })
    await leavePanel(page)
    await test.step('the labels of radio buttons in the panel are not cut off', async () => {
      const [id = ''] = await shownDevices(page)
      await row(page, id).getByRole('checkbox').tap()
      await page.getByRole('button', { name: 'Toggle side panel' }).tap()
      await panel(page).getByRole('tab', { name: 'Settings' }).tap()
      const choices = panel(page).getByRole('radio')
      await expect(choices.filter({ hasText: 'Save membrane' })).toBeVisible()
      const cutOff = await choices.evaluateAll(all =>
        all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
      )
      expect(cutOff).toEqual([])
    })
    await leavePanel(page)
    await test.step('the panel opens over the page, and its commands run', async () => {
      const [, , , id = ''] = await shownDevices(page)
      await expect(panel(page)).toHaveCount(0)
      await row(page, id).getByRole('checkbox').tap()
      await page.getByRole('button', { name: 'Toggle side panel' }).tap()
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
  })
  await backToDevices(page)
  await test.step('text typed into the panel is kept for its device when another section is opened or the panel is closed', async () => {
    const [first = '', second = ''] = await shownDevices(page)
    const toggle = page.getByRole('button', { name: 'Toggle side panel' })
    await row(page, first).getByRole('checkbox').tap()
    await toggle.tap()
    await panel(page).getByRole('tab', { name: 'Settings' }).tap()
    // Text that is entered before the device's value has arrived would be put behind it.
    await expect(panel(page).getByLabel('Volume')).not.toHaveValue('')
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
})

test('on a phone, the controls above lists and charts leave room for them, the table scrolls below its key column, and nothing else is wider', async ({
  page,
}) => {
  test.slow()
  const release = await holdRequests(page, '**/assets/menus-*.js')
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('the controls above lists and charts leave room for them, and a menu has those without room', async () => {
    await test.step('rows begin within 120 px, also while the selection bar loads, and there is no status bar', async () => {
      const selectionBar = page.getByRole('group', { name: 'Selection' })
      await expect(selectionBar).toHaveCount(0)
      const top = (await page.getByRole('banner').boundingBox())!
      const firstRow = async () => (await grid(page).getByRole('row').nth(1).boundingBox())!.y - top.height
      const before = await firstRow()
      expect(before).toBeLessThanOrEqual(120)
      release()
      await expect(selectionBar).toBeVisible()
      expect(await firstRow()).toBe(before)
      expect((await page.getByRole('contentinfo').boundingBox())?.height).toBe(0)
    })
    await test.step('a button opens the column and the operator of the search', async () => {
      const [id = ''] = await shownDevices(page)
      const toggle = page.getByRole('button', { name: 'Search by column and operator' })
      await expect(page.getByRole('combobox', { name: 'Search operator' })).toHaveCount(0)
      await toggle.tap()
      await page.getByRole('combobox', { name: 'Search operator' }).selectOption('ends with')
      await searchField(page).fill(id.slice(-8))
      await expect(grid(page)).not.toHaveAttribute('aria-rowcount', '1200')
      await loaded(page)
      expect((await shownDevices(page)).every(found => found.endsWith(id.slice(-8)))).toBe(true)
      await page.getByRole('combobox', { name: 'Search operator' }).selectOption('contains')
      await toggle.tap()
      await expect(page.getByRole('combobox', { name: 'Search operator' })).toHaveCount(0)
      await clearList(page)
    })
    await test.step('the menu opens the form for new devices and asks for a column', async () => {
      await page.getByRole('button', { name: 'More' }).tap()
      await page.getByRole('menuitem', { name: /^Show or hide column/ }).tap()
      await expect(palette(page).getByRole('option', { name: /^Status/ })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(palette(page)).toHaveCount(0)
      await page.getByRole('button', { name: 'More' }).tap()
      await page.getByRole('menuitem', { name: /^Upload devices/ }).tap()
      await expect(panel(page).getByRole('form', { name: 'Upload devices' })).toBeVisible()
      await panel(page).getByRole('button', { name: 'Close the side panel' }).tap()
    })
    await test.step('the charts’ controls take two lines and scroll away', async () => {
      const [id = ''] = await shownDevices(page)
      await row(page, id).getByRole('checkbox').tap()
      await visit(page, '/charts')
      await expect(page.getByRole('application').first()).toBeVisible()
      const toolbar = page.getByRole('toolbar', { name: 'Charts' })
      expect((await toolbar.boundingBox())!.height).toBeLessThan(110)
      await page.getByRole('button', { name: 'More' }).tap()
      await page.getByRole('menuitem', { name: /^Switch between your time zone/ }).tap()
      await expect(toolbar).toContainText('each device in its own time zone')
      await page.mouse.move(200, 500)
      await page.mouse.wheel(0, 400)
      await expect(toolbar).not.toBeInViewport()
      await page.mouse.wheel(0, -400)
      await expect(toolbar).toBeInViewport()
    })
  })
  await backToDevices(page)
  await test.step('the table scrolls below its key column, the selection shows its search, and nothing else is wider', async () => {
    await test.step('the table scrolls horizontally while its key column stays in place', async () => {
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
    await clearList(page)
    await test.step('the search that defines the selection is shown in full', async () => {
      await searchField(page).fill('30:AE:A4:02')
      await expect(grid(page)).not.toHaveAttribute('aria-rowcount', '1200')
      await loaded(page)
      const bar = page.getByRole('group', { name: 'Selection' })
      await bar.getByRole('button', { name: 'Select', exact: true }).tap()
      await page.getByRole('menuitem', { name: /^Select all/ }).tap()
      const source = bar.getByText('Device contains “30:AE:A4:02”')
      await expect(source).toBeVisible()
      const hidden = await source.evaluate(element => element.scrollWidth - element.clientWidth)
      expect(hidden).toBe(0)
      await expect(source).toBeInViewport({ ratio: 1 })
    })
    await clearList(page)
    await test.step('nothing on the devices and the settings is wider than the screen', async () => {
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(await overflow()).toBe(0)
      // The toolbar of the selection loads last.
      await expect(page.getByRole('group', { name: 'Selection' })).toBeVisible()
      await expect(page.getByRole('main').getByRole('button', { name: 'More' })).toBeVisible()
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
      await visit(page, '/settings')
      await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
      expect(await overflow()).toBe(0)
    })
  })
})

/** The menu of a row: its commands act on the target that its heading names. */
import type { Page } from '@playwright/test'
import { check } from '../support/axe.ts'
import {
  countCalls,
  grid,
  loaded,
  messages,
  row,
  rowAt,
  selectedCount,
  selectedRows,
  shownDevices,
  clearList,
} from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { backToDevices, go, selectedTableRows } from '../support/lists.ts'

const menu = (page: Page) => page.getByRole('menu')
const target = (page: Page, name: string) => menu(page).getByRole('group', { name, exact: true })
const entry = (page: Page, name: RegExp) => menu(page).getByRole('menuitem', { name })

test('the menu of a row acts on that row, or on the selection if the row is selected, by mouse and by keys, and its labels are aligned', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('the menu of a row that is not selected acts on that row only and keeps the selection', async () => {
    const calls = countCalls(page, 'PUT', /devices\/lock$/)
    const [first = '', second = '', third = ''] = await shownDevices(page)
    for (const id of [first, third]) await row(page, id).getByRole('checkbox').click()
    await selectedCount(page, 2)

    await row(page, second).click({ button: 'right' })
    await expect(target(page, second)).toBeVisible()
    // The menu acts on one device, whatever the selection is.
    await expect(entry(page, /^Share/)).not.toHaveAttribute('aria-disabled')
    await entry(page, /^Lock/).click()
    await expect(messages(page)).toContainText('Locked 1 of 1 device')
    await expect(selectedRows(page)).toHaveCount(2)
    await expect(row(page, second)).toHaveAttribute('aria-selected', 'false')
    await page.keyboard.press('z')
    await expect(messages(page)).toContainText('Undid “Lock” for 1 of 1 device')
    expect(calls).toEqual([{ body: { ids: [second], locked: true } }, { body: { ids: [second], locked: false } }])

    await row(page, second).hover()
    await page.getByRole('button', { name: `Actions for ${second}` }).click()
    await entry(page, /^Reboot/).click()
    // The question names the row, and where it comes from.
    const question = page.getByRole('alertdialog', { name: `Reboot ${second}?` })
    await expect(question).toContainText('Selection: The row of the menu')
    await page.keyboard.press('Escape')
  })
  await backToDevices(page)
  await test.step('the menu of a selected row acts on the selection', async () => {
    await test.step('the labels in the row menu are aligned', async () => {
      const [first = ''] = await shownDevices(page)
      await grid(page).getByRole('row').filter({ hasText: first }).click({ button: 'right' })
      await expect(entry(page, /^Select or deselect row/)).toBeVisible()
      const starts = await menu(page)
        .getByRole('menuitem')
        .evaluateAll(all =>
          all.map(item => {
            const text = document.createRange()
            text.selectNodeContents(document.createTreeWalker(item, NodeFilter.SHOW_TEXT).nextNode()!)
            return text.getBoundingClientRect().x
          }),
        )
      expect(new Set(starts).size).toBe(1)
    })
    await clearList(page)
    await test.step('the menu of a selected row acts on the selection', async () => {
      const [first = '', second = ''] = await shownDevices(page)
      for (const id of [first, second]) await row(page, id).getByRole('checkbox').click()
      await selectedCount(page, 2)
      await row(page, second).click({ button: 'right' })
      await expect(target(page, '2 devices')).toBeVisible()
      await expect(entry(page, /^Share/)).toHaveAttribute('aria-disabled', 'true')
      await check(page, 'the menu of a row', '[role=menu]')
      await entry(page, /^Reboot/).click()
      await expect(page.getByRole('alertdialog', { name: 'Reboot 2 devices?' })).toBeVisible()
      await page.keyboard.press('Escape')
    })
    await clearList(page)
    await test.step('the row menu opened by keys acts on the focused row', async () => {
      const calls = countCalls(page, 'PUT', /devices\/lock$/)
      const [, , third = ''] = await shownDevices(page)
      await page.keyboard.press('Home')
      await page.keyboard.press('x')
      await page.keyboard.press('Shift+ArrowDown')
      await page.keyboard.press('j')
      await selectedCount(page, 2)
      await expect(row(page, third)).toBeFocused()
      await page.keyboard.press('Shift+F10')
      await expect(target(page, third)).toBeVisible()
      await page.keyboard.type('unl')
      await expect(entry(page, /^Unlock/)).toHaveAttribute('data-focus')
      await page.keyboard.press('Enter')
      await expect(messages(page)).toContainText('Unlocked 1 of 1 device')
      expect(calls).toEqual([{ body: { ids: [third], locked: false } }])
      await selectedCount(page, 2)
      await page.keyboard.press('k')
      await page.keyboard.press('Shift+F10')
      await expect(target(page, '2 devices')).toBeVisible()
    })
  })
  await backToDevices(page)
  await test.step('the row menu acts on its row in other lists too', async () => {
    const calls = countCalls(page, 'PUT', /users\/change-status$/)
    await go(page, 'users')
    await page.keyboard.press('Home')
    await page.keyboard.press('x')
    await expect(rowAt(page, 1)).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('j')
    const second = rowAt(page, 2)
    await expect(second).toBeFocused()
    const id = (await second.getAttribute('data-id')) ?? ''
    await second.click({ button: 'right' })
    await entry(page, /^Unblock/).click()
    await expect(messages(page)).toContainText('Unblocked 1 of 1 user')
    expect(calls).toEqual([{ body: { ids: [id], status: false } }])
    await expect(selectedTableRows(page)).toHaveCount(1)
    await expect(rowAt(page, 1)).toHaveAttribute('aria-selected', 'true')
  })
})

/** The focus returns to where it was when an overlay closes. */
import type { Locator, Page } from '@playwright/test'
import {
  grid,
  loaded,
  messages,
  openPalette,
  palette,
  panel,
  panelReady,
  row,
  selectedCount,
  shownDevices,
} from '../support/devices.ts'
import { callerFor, unique } from '../support/api.ts'
import { expect, signIn, test, visit } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { backToDevices, confirm, find, go, rowOf, expectMessage, table } from '../support/lists.ts'

const overlays = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).or(page.getByRole('menu'))

/** Presses Esc until all overlays are closed. */
async function closeAll(page: Page) {
  await expect(async () => {
    if (await overlays(page).first().isVisible()) await page.keyboard.press('Escape')
    await expect(overlays(page)).toHaveCount(0, { timeout: 500 })
  }).toPass()
}

test('the focus returns to the row or the button after every overlay that it opened, and to the next row when its row is deleted', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('the focus returns to the row after every overlay that keys open', async () => {
    const [, id = ''] = await shownDevices(page)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(row(page, id)).toBeFocused()
    const opened: readonly (readonly [keys: readonly string[], what: Locator])[] = [
      [['Control+k'], palette(page)],
      [['?'], page.getByRole('dialog', { name: 'All keys' })],
      [['s', 'f'], palette(page)],
      [['@'], palette(page)],
      [['b'], page.getByRole('alertdialog')],
      [['Delete'], page.getByRole('alertdialog')],
      [['h'], page.getByRole('dialog', { name: /^Share/ })],
      [['Shift+F10'], page.getByRole('menu')],
    ]
    for (const [keys, what] of opened)
      await test.step(keys.join(' '), async () => {
        for (const key of keys) await page.keyboard.press(key)
        await expect(what).toBeVisible()
        await expect(what.locator(':focus').or(what.and(page.locator(':focus')))).toBeVisible()
        await closeAll(page)
        await expect(row(page, id)).toBeFocused()
      })

    // A preview of many devices, and overlays that open another one.
    await page.keyboard.press('Control+a')
    await selectedCount(page, 20)
    await page.keyboard.press('f')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await closeAll(page)
    await expect(row(page, id)).toBeFocused()
    await openPalette(page)
    await page.keyboard.insertText('>all keys')
    await expect(palette(page).getByRole('option', { name: /^Show all keys/ })).toHaveAttribute('data-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'All keys' })).toBeVisible()
    await closeAll(page)
    await expect(row(page, id)).toBeFocused()
    await openPalette(page)
    await page.keyboard.insertText('>reboot')
    await expect(palette(page).getByRole('option', { name: /^Reboot/ })).toHaveAttribute('data-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await closeAll(page)
    await expect(row(page, id)).toBeFocused()
  })
  await backToDevices(page)
  await test.step('the focus returns to the row after the failures have been read', async () => {
    await page.keyboard.press('Home')
    const [id = ''] = await shownDevices(page)
    await expect(row(page, id)).toBeFocused()
    const refused = { count: 0, total: 1, failed: [{ id, message: 'It is offline' }] }
    await intercept(page, '**/api/v3/devices/flush*', route => route.fulfill({ json: { data: refused } }))
    await page.keyboard.press('f')
    await expect(messages(page)).toContainText('Flushing 0 of 1 device')
    await page.keyboard.press('w')
    await expect(page.getByRole('dialog')).toContainText('It is offline')
    await closeAll(page)
    await expect(grid(page).locator(':focus')).toHaveAttribute('data-id', id)
  })
  await backToDevices(page)
  await test.step('the focus returns to the button after every overlay that the button opens', async () => {
    const [id = ''] = await shownDevices(page)
    await row(page, id).getByRole('checkbox').click()
    await selectedCount(page, 1)
    await panelReady(page)
    await panel(page).getByRole('tab', { name: 'Control' }).click()
    const buttons: readonly (readonly [Locator, Locator])[] = [
      [page.getByRole('button', { name: 'Search devices or run commands' }), palette(page)],
      [page.getByRole('button', { name: 'Columns' }), page.getByRole('menu')],
      [page.getByRole('button', { name: 'Export' }), page.getByRole('menu')],
      [page.getByRole('button', { name: 'Account' }), page.getByRole('menu')],
      [panel(page).getByRole('button', { name: /^Reboot/ }), page.getByRole('alertdialog')],
      [panel(page).getByRole('button', { name: /^Delete/ }), page.getByRole('alertdialog')],
      [panel(page).getByRole('button', { name: /^Share/ }), page.getByRole('dialog', { name: /^Share/ })],
      [panel(page).getByRole('button', { name: /^Open or close valve/ }), palette(page)],
    ]
    for (const [button, what] of buttons)
      await test.step(await button.innerText(), async () => {
        await button.focus()
        await page.keyboard.press('Enter')
        await expect(what).toBeVisible()
        await closeAll(page)
        await expect(button).toBeFocused()
      })

    await visit(page, '/notifications')
    const types = page.getByRole('button', { name: /types/ })
    await types.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Types of notifications' })).toBeVisible()
    await closeAll(page)
    await expect(types).toBeFocused()

    await visit(page, '/settings')
    const change = page.getByRole('button', { name: 'Change the keys of Flush', exact: true })
    await change.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await closeAll(page)
    await expect(change).toBeFocused()
  })
  await backToDevices(page)
  await test.step('the focus moves to the next row when the focused row is deleted', async () => {
    const name = unique('Gone')
    const admin = await callerFor(server.url, 'admin')
    await admin.upload('/api/v3/filtration-systems/file', ['model', `${name}-1`, `${name}-2`].join('\n'))
    await go(page, 'filtrationSystems')
    await find(page, name, 2)
    const focused = table(page).locator('[role=row]:focus')
    const [gone = ''] = /Gone-\S+/.exec(await focused.innerText()) ?? []
    await page.keyboard.press('Delete')
    await confirm(page, `Delete ${gone}?`)
    await expectMessage(page, 'Deleted 1 of 1 filtration system')
    await expect(rowOf(page, gone)).toHaveCount(0)
    await expect(table(page).getByRole('row').nth(1)).toBeFocused()
  })
})

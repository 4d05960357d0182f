/** Selecting many rows: by a property, all matches, a pasted list, a saved selection; with keys, mouse and touch. */
import type { BrowserContext, Page } from '@playwright/test'
import { callerFor, newDevices, newModelWithDevices, unique } from '../support/api.ts'
import {
  confirm,
  countCalls,
  enterText,
  grid,
  loaded,
  messages,
  palette,
  panel,
  preview,
  row,
  rowAt,
  searchFor,
  selectedCount,
  shownDevices,
} from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { backToDevices, find, go, selectedTableRows } from '../support/lists.ts'

const bar = (page: Page) => page.getByRole('group', { name: 'Selection' })
const rowStatus = (page: Page) => page.getByRole('status', { name: 'Row' })
const menu = (page: Page) => page.getByRole('menu')

/** Runs a selection command by `a` and its second key, and fills in its argument pages. */
async function runSelecting(
  page: Page,
  second: string,
  ...answers: readonly (readonly [field: string, text: string])[]
) {
  await page.keyboard.press('a')
  await page.keyboard.press(second)
  for (const [field, text] of answers) {
    await expect(palette(page).getByRole('combobox', { name: field, exact: true })).toBeFocused()
    await enterText(page, text)
    if (text !== '') await expect(palette(page).getByRole('option').first()).toContainText(text)
    await page.keyboard.press('Enter')
  }
  await expect(palette(page)).toBeHidden()
}

/** Signs in and waits for the devices and the selection bar. */
async function openDevices(page: Page) {
  await signIn(page, 'admin')
  await loaded(page)
  await expect(bar(page)).toBeVisible()
}

test('“all that match” follows the search, also in other lists, until a command runs or a row is deselected, and its preview reads no rows', async ({
  page,
  server,
}) => {
  test.slow()
  await openDevices(page)
  await test.step('“all that match” follows the search, until a command runs or a row is deselected', async () => {
    const admin = await callerFor(server.url, 'admin')
    const { model, ids } = await newModelWithDevices(admin, 2)
    await page.getByRole('combobox', { name: 'Search column' }).selectOption('Model')
    await searchFor(page, model, 2)
    await page.keyboard.press('Control+Shift+A')
    await selectedCount(page, 2)
    await expect(bar(page)).toContainText('all that match')
    await expect(row(page, ids[1]!)).toHaveAttribute('aria-selected', 'true')

    await newDevices(admin, 1, { model })
    await expect(bar(page)).toContainText('3 selected', { timeout: 20_000 })
    await selectedCount(page, 3)
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '3', { timeout: 20_000 })
    await expect(grid(page).getByRole('row', { selected: true })).toHaveCount(3)

    await page.keyboard.press('Delete')
    await expect(page.getByRole('alertdialog')).toContainText('3 devices')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toBeHidden()
    // Nothing has run, so it still follows.
    await expect(bar(page)).toContainText('all that match')
    await selectedCount(page, 3)

    await page.keyboard.press('Home')
    await page.keyboard.press('x')
    await selectedCount(page, 2)
    await expect(bar(page)).not.toContainText('all that match')
    await page.keyboard.press('j')
    await expect(rowStatus(page)).toHaveText(/^Row 2 of 3, selected/)
    await page.keyboard.press('k')
    await expect(rowStatus(page)).toHaveText('Row 1 of 3')
  })
  await backToDevices(page)
  await test.step('the preview of all that match reads no rows, and what was searched is selected after the run', async () => {
    const admin = await callerFor(server.url, 'admin')
    // More than one call returns.
    const count = 1001
    const description = unique('Row of many')
    const lines = Array.from({ length: count }, (_, at) => {
      const digits = (0x6b00_0000_0000 + (Date.now() % 1e7) * 4096 + at).toString(16).toUpperCase()
      return `${digits.match(/../g)!.join(':')},esp32,RO-400 Home,vendor,${description}`
    })
    await admin.upload('/api/v3/devices/file', ['bssid,platform,model,vendor,description', ...lines].join('\n'))
    await page.getByRole('combobox', { name: 'Search column' }).selectOption('Description')
    await searchFor(page, description, count)
    await page.keyboard.press('Control+Shift+A')
    await expect(bar(page)).toContainText('1,001 selected')
    // The panel sums up as many as one call returns.
    await expect(panel(page)).toContainText('Based on the first 1,000 of 1,001 matching devices.')

    const reads: string[] = []
    page.on('request', request => {
      const { pathname, searchParams } = new URL(request.url())
      // The panel reads the first thousand again after each change; a preview that reads rows needs those after them too.
      if (pathname === '/api/v3/devices' && Number(searchParams.get('offset')) >= 1000) reads.push(request.url())
    })
    const jobs = countCalls(page, 'POST', /\/jobs$/)
    await page.keyboard.press('s')
    await page.keyboard.press('s')
    await expect(palette(page).getByRole('combobox', { name: 'Water supply' })).toBeFocused()
    await enterText(page, description)
    await page.keyboard.press('Enter')
    const dialog = preview(page, 'Set water supply: 1,001 devices')
    await expect(dialog.getByRole('status')).toContainText('1,001 will change')
    await expect(dialog).toContainText('all others that match')
    expect(reads).toEqual([])
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText('Settings updated for 1001 out of 1001 devices')
    expect(jobs).toMatchObject([{ body: { search: { search: description, column: 'description' } } }])
    expect(jobs[0]!.body).not.toHaveProperty('ids')
    await expect(bar(page)).not.toContainText('all that match')
    await expect(bar(page)).toContainText('1,001 selected')
    // Single rows can be left out of it.
    await page.keyboard.press('x')
    await expect(bar(page)).toContainText('1,000 selected')
    await page.keyboard.press('x')
    await page.keyboard.press('Delete')
    await expect(preview(page, 'Delete 1,001 devices?').getByRole('textbox')).toBeFocused()
    await enterText(page, 'DELETE')
    await expect(preview(page, 'Delete 1,001 devices?').getByRole('button', { name: /^Delete/ })).toBeEnabled()
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText('Deleted 1,001 of 1,001 devices')
  })
  await backToDevices(page)
  await test.step('“all that match” follows the search in other lists too, until a command runs', async () => {
    const admin = await callerFor(server.url, 'admin')
    const name = unique('Live')
    const add = (...which: number[]) =>
      admin.upload('/api/v3/filtration-systems/file', ['model', ...which.map(at => `${name}-${at}`)].join('\n'))
    await add(1, 2)
    await go(page, 'filtrationSystems')
    await find(page, name, 2)
    await page.keyboard.press('Control+Shift+A')
    await expect(messages(page)).toContainText('Selected 2 filtration systems')
    await expect(bar(page)).toContainText('all that match')
    await expect(selectedTableRows(page)).toHaveCount(2)
    // The selection does not change with the search of the list.
    await page.keyboard.press('Escape')
    await expect(panel(page)).toContainText('Includes all rows that match when a command runs.')

    await add(3)
    await expect(bar(page)).toContainText('3 selected', { timeout: 20_000 })
    await expect(panel(page)).toHaveAccessibleName('3 filtration systems')
    await page.keyboard.press('Delete')
    await expect(page.getByRole('alertdialog')).toContainText('3 will be deleted')
    // A row created after the command started is not part of the selection.
    await add(4)
    await confirm(page, 'Delete 3 filtration systems?')
    await expect(messages(page)).toContainText('Deleted 3 of 3 filtration systems')
    await find(page, name, 1)
    await expect(selectedTableRows(page)).toHaveCount(0)
  })
})

test('devices are selected by model, a pasted list, a drag and the selection bar; a selection can be saved, inverted, restored after a reload, and forgotten', async ({
  page,
  server,
}) => {
  test.slow()
  await openDevices(page)
  await test.step('rows are selected by a drag and by the selection bar, and Shift+F10 opens the row’s menu', async () => {
    const middle = async (position: number) => {
      const box = (await rowAt(page, position).boundingBox())!
      return { x: box.x + 200, y: box.y + box.height / 2 }
    }
    const [from, to] = [await middle(2), await middle(5)]
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 2, from.y + 40)
    await page.mouse.move(to.x, to.y, { steps: 4 })
    await page.mouse.up()
    await selectedCount(page, 4)
    await expect(rowAt(page, 5)).toBeFocused()
    await expect(bar(page)).toContainText('A range')
    await bar(page).getByRole('button', { name: 'Select', exact: true }).click()
    await menu(page).getByRole('menuitem', { name: 'Select page' }).click()
    await selectedCount(page, 20)
    await bar(page).getByRole('button', { name: 'Clear', exact: true }).click()
    await selectedCount(page, 0)

    await rowAt(page, 3).click()
    await page.keyboard.press('Shift+F10')
    await expect(menu(page)).toBeVisible()
    await expect(menu(page).getByRole('menuitem', { name: /^Flush/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu(page)).toBeHidden()
    await expect(rowAt(page, 3)).toBeFocused()
  })
  await backToDevices(page)
  await test.step('a pasted list selects the devices that exist, and lists the others for correction', async () => {
    const { ids } = await newModelWithDevices(await callerFor(server.url, 'admin'), 3)
    await page.keyboard.press('a')
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog', { name: 'Select devices by pasted IDs' })
    const field = dialog.getByRole('textbox', { name: 'Device ids' })
    await expect(field).toBeFocused()
    await page.keyboard.insertText(`${ids[0]!.toLowerCase().replaceAll(':', '')};${ids[1]}\nFE:E2:FF:FF:FF:FF kitchen`)
    await expect(dialog).toContainText('3 devices, and 1 word that is not a device id.')
    await page.keyboard.press('Control+Enter')
    const rejected = dialog.getByRole('list', { name: 'Not selected' })
    await expect(rejected.getByRole('listitem')).toHaveText(['FE:E2:FF:FF:FF:FFnot found', 'kitchennot a device id'])
    await expect(field).toHaveValue('FE:E2:FF:FF:FF:FF\nkitchen')
    // Corrected ids are added to those already selected.
    await expect(dialog.getByRole('radio', { checked: true })).toHaveAccessibleName('Add to the selection')
    await field.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(ids[2]!)
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toBeHidden()
    await selectedCount(page, 3)
    await expect(bar(page)).toContainText('A pasted list')
  })
  await backToDevices(page)
  await test.step('a selection by model can be saved, inverted, restored after a reload, and forgotten', async () => {
    const admin = await callerFor(server.url, 'admin')
    const { model, ids } = await newModelWithDevices(admin, 3)
    await expect(bar(page)).toContainText('Nothing selected')
    await runSelecting(page, 'm', ['Model', model], ['How', ''])
    await selectedCount(page, 3)
    await expect(bar(page)).toContainText(`3 selected`)
    await expect(bar(page)).toContainText(`Model equals “${model}”`)
    await runSelecting(page, 'n', ['Name', model])
    await expect(messages(page)).toContainText(`Saved 3 devices as “${model}”`)

    // Inverting applies to the matches of the list: the only match is selected, so none would be left.
    await searchFor(page, ids[0]!, 1)
    await runSelecting(page, 'i')
    await expect(messages(page)).toContainText('Nothing else matches: the selection is unchanged')
    await selectedCount(page, 3)
    await page.keyboard.press('x')
    await selectedCount(page, 2)
    await runSelecting(page, 'i')
    await selectedCount(page, 1)

    await page.reload()
    await loaded(page)
    await expect(bar(page)).toBeVisible()
    await runSelecting(page, 'r', ['Name', model], ['How', ''])
    await selectedCount(page, 3)
    await expect(bar(page)).toContainText(`“${model}”`)
    await page.keyboard.press('a')
    await page.keyboard.press('d')
    await expect(palette(page).getByRole('combobox', { name: 'Name', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete selection' }).press('Enter')
    await expect(messages(page)).toContainText(`Deleted “${model}”`)
    await selectedCount(page, 3)
  })
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } })

  /** Returns the first device, a point on its row, and a function that sends touch events. */
  async function touchFirstRow(page: Page, context: BrowserContext) {
    const [first] = await shownDevices(page)
    const box = (await row(page, first!).boundingBox())!
    const at = { x: Math.round(box.x + 90), y: Math.round(box.y + box.height / 2) }
    const cdp = await context.newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points })
    return { first: first!, at, touch }
  }

  test('a long press opens the row’s menu, a swipe does not, and a tap right after it chooses the menu item, even on a busy page', async ({
    page,
    context,
  }) => {
    test.slow()
    await openDevices(page)
    await test.step('a long press opens the row’s menu, and a swipe does not', async () => {
      const { first, at, touch } = await touchFirstRow(page, context)
      await Promise.all([
        touch('touchStart', [at]),
        touch('touchMove', [{ x: at.x, y: at.y + 60 }]),
        touch('touchEnd', []),
      ])
      await expect(menu(page)).toBeHidden()

      await touch('touchStart', [at])
      await expect(menu(page)).toBeVisible()
      await touch('touchEnd', [])
      await expect(menu(page).getByRole('menuitem', { name: /^Flush/ })).toBeVisible()
      await menu(page).getByRole('menuitem', { name: 'Open device' }).tap()
      await expect(page).toHaveURL(new RegExp(`/devices/${first}$`))
    })
    await page.goBack()
    await loaded(page)
    await test.step('a tap right after a long press chooses the menu item, even on a busy page', async () => {
      const { first, at, touch } = await touchFirstRow(page, context)
      await touch('touchStart', [at])
      const entry = menu(page).getByRole('menuitem', { name: 'Open device' })
      await expect(entry).toBeVisible()
      const box = (await entry.boundingBox())!
      // Keeps the page busy when the finger lifts, so that all three events queue up.
      await page.evaluate(() => {
        const work = () => {
          const end = performance.now() + 300
          while (performance.now() < end);
        }
        addEventListener('pointerup', work, { once: true })
      })
      await Promise.all([
        touch('touchEnd', []),
        touch('touchStart', [{ x: box.x + 20, y: box.y + box.height / 2 }]),
        touch('touchEnd', []),
      ])
      await expect(page).toHaveURL(new RegExp(`/devices/${first}$`))
    })
  })
})

/** Exported lists: the files contain what the server returned, also as read by other programs. */
import type { Page } from '@playwright/test'
import { callerFor, type Caller } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { loaded, newBssids, palette, searchFor, selectedCount, clearList } from '../support/devices.ts'
import { expect, signIn, test, visit } from '../support/fixtures.ts'
import {
  expectOfficeReads,
  exportByKeys,
  exportByMouse,
  downloadFrom,
  jsonOf,
  near,
  separatedRows,
  sheetRows,
  textOf,
} from '../support/exports.ts'
import { holdRequests } from '../support/holdRequests.ts'
import { intercept } from '../support/intercept.ts'
import { answer, backToDevices, go, messages, expectMessage, total } from '../support/lists.ts'

interface Listed {
  bssid: string
  status: number
  temperature: number | null
  permeate: number
  last_active: string | null
  description: string
}

// A time zone other than the server's.
test.use({ timezoneId: 'America/St_Johns' })

/** Blocks live updates, so that the file contains exactly what the server returned. */
test.beforeEach(({ page }) => intercept(page, '**/api/v3/stream', route => route.abort()))

/** Records the pages that an export reads; the result returns their rows. */
function recordPages(page: Page) {
  const pages: Promise<Listed[]>[] = []
  page.on('response', response => {
    if (response.ok() && /\/api\/v3\/devices\?.*limit=1000/.test(response.url()))
      pages.push(response.json().then((body: { data: { data: Listed[] } }) => body.data.data))
  })
  return async () => (await Promise.all(pages)).flat()
}

/** Creates devices whose descriptions a spreadsheet would run as formulas; returns descriptions by id. */
async function newHostileDevices(admin: Caller, word: string): Promise<Map<string, string>> {
  const texts = [`=HYPERLINK("http://x.example/${word}","${word}")`, `@SUM(1+1) ${word}`, `-1+1, "${word}"\nnext`]
  const ids = newBssids(texts.length)
  const lines = ids.map(id => `${id},esp32,RO-400 Home,,vendor,x`)
  await admin.upload(
    '/api/v3/devices/file',
    ['bssid,platform,model,filtration_system,vendor,description', ...lines].join('\n'),
  )
  for (const [at, id] of ids.entries()) await admin.call('PUT', `/api/v3/devices/${id}`, { description: texts[at] })
  return new Map(ids.map((id, at) => [id, texts[at]!]))
}

test('every file type contains the rows, formulas are escaped as text, and a whole fleet is exported page by page, also after a failure', async ({
  page,
  server,
}) => {
  test.slow()
  await test.step('every file type contains the rows of the search, with formulas escaped as text', async () => {
    const texts = await newHostileDevices(await callerFor(server.url, 'admin'), 'quay')
    await signIn(page, 'admin')
    await loaded(page)
    await page.getByRole('combobox', { name: 'Search column' }).selectOption('Description')
    await searchFor(page, 'quay', 3)

    const csv = await exportByKeys(page, 'csv', 'All columns')
    expect(csv.suggestedFilename()).toMatch(/^permeate-devices-\d{4}-\d\d-\d\d\.csv$/)
    await expectMessage(page, `Exported 3 devices as ${csv.suggestedFilename()}`)
    const table = await separatedRows(csv)
    const [headings] = table
    expect(headings).toEqual(
      expect.arrayContaining(['Temperature (°C)', 'Last active (America/St_Johns)', 'Flush volume (l)']),
    )
    const column = headings!.indexOf('Description')
    const safe = [...texts].map(([id, text]) => [id, `'${text}`])
    expect(table.slice(1).map(row => [row[0], row[column]])).toEqual(safe)

    const txt = await exportByKeys(page, 'txt', 'All columns')
    expect(await separatedRows(txt)).toEqual(table)
    expect((await textOf(txt)).split('\r\n').slice(0, 3)).toEqual([
      '\uFEFFDevices',
      expect.stringMatching(/^Exported .*-0\d:30, times in America\/St_Johns$/),
      'Search: Description contains ‘quay’',
    ])

    const json = await jsonOf(await exportByKeys(page, 'json', 'All columns'))
    expect(json.zone).toBe('America/St_Johns')
    expect(new Map(json.rows.map(row => [row.bssid, row.description]))).toEqual(texts)

    const xls = await exportByKeys(page, 'xls', 'All columns')
    const sheet = await sheetRows(xls, 'Devices')
    expect(sheet).toEqual(withoutOffsets(table))
    await expectOfficeReads(xls, 'Devices', sheet)
  })
  await backToDevices(page)
  await visit(page, '/settings')
  await test.step('a whole fleet is exported page by page in the chosen units, and a page that fails can be retried', async () => {
    const exportedRows = recordPages(page)
    for (const unit of ['°F', 'gal']) await page.getByRole('radio', { name: unit, exact: true }).click()
    await visit(page, '/devices')
    await loaded(page)

    let failing = true
    await intercept(page, /devices\?.*offset=999&limit=1000/, route => (failing ? route.abort() : route.continue()))
    const download = exportByKeys(page, 'json', 'Shown columns')
    const dialog = page.getByRole('alertdialog', { name: '1,000 devices read so far' })
    // The export has retried three times before it prompts.
    await expect(dialog).toContainText('The server cannot be reached', { timeout: 30_000 })
    failing = false
    await dialog.getByRole('button', { name: 'Try again' }).click()
    const json = await jsonOf(await download)

    // Pages overlap by one row; the export keeps its first version.
    const overlapping = await exportedRows()
    const rows = overlapping.filter(({ bssid }, at) => overlapping.findIndex(row => row.bssid === bssid) === at)
    expect(rows.length).toBeGreaterThan(1100)
    expect(json.columns).toContainEqual({ key: 'permeate', name: 'Permeate', unit: 'gal' })
    expect(json.rows.map(row => row.bssid)).toEqual(rows.map(row => row.bssid))
    const differing = rows.filter(({ temperature, permeate, last_active }, at) => {
      const row = json.rows[at]!
      return !(
        near(row.permeate, permeate / 3.785411784) &&
        near(row.temperature, temperature === null ? null : temperature * 1.8 + 32) &&
        (last_active === null ||
          Date.parse(String(row.last_active)) === Math.floor(Date.parse(last_active) / 1000) * 1000)
      )
    })
    expect(differing).toEqual([])
    expect(new Set(json.rows.map(row => row.status)).size).toBeGreaterThan(1)
    expect(json.rows.every(row => typeof row.status === 'string')).toBe(true)
  })
})

/** Returns the table with times as a spreadsheet shows them: without `T` and offset. */
const withoutOffsets = (table: string[][]) =>
  table.map(row => row.map(cell => cell.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)[+-]\d\d:\d\d$/, '$1 $2')))

test('exports of lists, the selection and the notifications contain their rows, wait for what is loading, and can be cancelled', async ({
  page,
}) => {
  test.slow()
  await test.step('an export is cancelled without a file, contains the selection, and waits for a list that is loading', async () => {
    await test.step('a cancelled export creates no file, and the next export works', async () => {
      const files: string[] = []
      page.on('download', file => files.push(file.suggestedFilename()))
      await signIn(page, 'admin')
      await loaded(page)
      let release: (() => void) | undefined
      const released = new Promise<void>(resolve => (release = resolve))
      await intercept(page, /devices\?.*offset=999&limit=1000/, async route => {
        await released
        await route.continue().catch(() => undefined)
      })
      await page.getByRole('button', { name: /^Export/ }).click()
      await page
        .getByRole('group', { name: 'All matches, all columns' })
        .getByRole('menuitem', { name: 'Excel' })
        .click()
      await expect(messages(page)).toContainText('Exporting')
      await messages(page).getByRole('button', { name: 'Cancel' }).click()
      await expect(messages(page)).not.toContainText('Exporting')
      release?.()
      // The next export creates the only file.
      await exportByMouse(page, 'All matches, visible columns', 'CSV')
      expect(files).toEqual([expect.stringMatching(/\.csv$/)])
    })
    await clearList(page)
    await test.step('an export of the selection contains only the selected devices', async () => {
      const boxes = page.getByRole('grid').getByRole('checkbox', { name: /^Select [0-9A-F]{2}:/ })
      const ids: string[] = []
      for (const at of [4, 1, 7]) {
        ids.push((await boxes.nth(at).getAttribute('aria-label'))!.slice('Select '.length))
        await boxes.nth(at).click()
      }
      await selectedCount(page, 3)
      await page.getByRole('button', { name: /^Export/ }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await check(page, 'the menu of exports', '[role=menu]')
      await page.keyboard.press('Escape')
      const rows = await separatedRows(await exportByMouse(page, '3 devices selected', 'Text'))
      expect(rows.slice(1).map(([id]) => id)).toEqual(ids.toSorted())
      await expectMessage(page, 'Exported 3 devices as permeate-devices-')
    })
    await clearList(page)
    await test.step('an export started while the list is loading waits for the list', async () => {
      const release = await holdRequests(page, /devices\?.*search=FE/)
      await page.keyboard.press('/')
      await page.keyboard.type('FE')
      await page.keyboard.press('Enter')
      const download = exportByKeys(page, 'csv', 'Shown columns')
      await expect(palette(page)).toBeVisible()
      await expect(palette(page)).toBeHidden()
      release()
      const rows = await separatedRows(await download)
      expect(rows.length).toBeGreaterThan(1)
      for (const [device] of rows.slice(1)) expect(device).toContain('FE')
    })
  })
  await go(page, 'models')
  await test.step('other lists and the notifications can be exported, also while they are loading', async () => {
    await test.step('other lists and the notifications can be exported', async () => {
      // The code is the same for all lists.
      for (const screen of ['models', 'filtrationSystems', 'audit'] as const) {
        if (screen !== 'models') await go(page, screen)
        const count = await total(page)
        const rows = await separatedRows(await exportByKeys(page, 'csv', 'Shown columns'))
        expect(rows.length, screen).toBe(count + 1)
      }
      await page.goto('/notifications')
      await expect(page.getByRole('button', { name: /^Export/ })).toBeVisible()
      const notes = await jsonOf(await exportByMouse(page, 'All matching notifications', 'JSON'))
      expect(notes.title).toBe('Notifications')
      expect(notes.rows.length).toBeGreaterThan(0)
      for (const row of notes.rows) expect(row.notification).toMatch(/^[A-Z]/)
    })
    await test.step('an export started while the notifications are loading waits for them', async () => {
      const release = await holdRequests(page, /\/api\/v3\/notifications\?/)
      await page.goto('/notifications')
      await expect(page.getByRole('button', { name: /^Export/ })).toBeVisible()
      const file = await downloadFrom(page, async () => {
        await page.keyboard.press('e')
        await answer(page, 'File', 'json')
        release()
      })
      expect((await jsonOf(file)).rows.length).toBeGreaterThan(0)
    })
  })
})

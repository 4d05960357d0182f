/** Creating devices from files. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import type { Page, Route } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'
import {
  grid,
  saveCredentials,
  loaded,
  messages,
  panel,
  row,
  searchFor,
  uploadForm as form,
} from '../support/devices.ts'
import { intercept } from '../support/intercept.ts'
import { columnValues, backToDevices } from '../support/lists.ts'

const upload = (page: Page) => form(page).getByRole('button', { name: 'Upload' })
const choose = (page: Page, name: string, content: Buffer | string) =>
  form(page)
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
const total = async (page: Page) => {
  await loaded(page)
  return Number(await grid(page).getAttribute('aria-rowcount'))
}
const header = ['bssid', 'platform', 'model', 'filtration_system', 'vendor', 'description']

/** Opens the form in the panel with its key, and waits until its file field has the focus. */
async function openForm(page: Page) {
  await page.keyboard.press('c')
  await expect(form(page)).toBeVisible()
  await expect(form(page).locator('input[type=file]')).toBeFocused()
}

test('devices are created from .csv, .xlsx and the templates; a file that is missing, has errors or was changed is refused, and can be corrected', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await expect(panel(page).getByRole('tab').first()).toBeVisible()
  await openForm(page)
  await test.step('an upload without a file, with errors or without a connection is refused, and the corrected file is accepted', async () => {
    await test.step('an upload without a file is refused', async () => {
      await upload(page).click()
      await expect(form(page).getByRole('alert')).toHaveText('File is required')
    })
    await test.step('an upload whose response is lost is sent again, and shows the secrets of its devices', async () => {
      const before = await total(page)
      await choose(page, 'devices.csv', `${header.join(',')}\nFE:E2:F0:00:04:01,esp32,RO-400 Home,,vendor,`)
      const loseResponse = async (route: Route) => {
        expect((await route.fetch()).status()).toBe(200)
        await route.abort()
      }
      await intercept(page, '**/api/v3/devices/file*', loseResponse, { times: 1 })
      await upload(page).click()
      await expect(messages(page)).toContainText('Created 1 device')
      await saveCredentials(page)
      await expect.poll(() => total(page)).toBe(before + 1)
    })
    await test.step('a file that is corrected after it was chosen has to be chosen again', async () => {
      const before = await total(page)
      const path = join(await mkdtemp(join(tmpdir(), 'upload-')), 'devices.csv')
      const line = 'FE:E2:F0:00:04:02,esp32,RO-400 Home,,vendor'
      await writeFile(path, `${header.join(',')}\n${line},,too many\n`)
      await form(page).locator('input[type=file]').setInputFiles(path)
      await upload(page).click()
      await expect(form(page).getByRole('alert', { name: 'Errors' })).toContainText('Row 2: too many')
      await writeFile(path, `${header.join(',')}\n${line},\n`)
      await upload(page).click()
      await expect(form(page).getByRole('alert')).toHaveText('File was changed. Choose it again')
      const choosing = page.waitForEvent('filechooser')
      await form(page).locator('input[type=file]').press('Enter')
      const chooser = await choosing
      // Otherwise the browser says nothing when the same file is chosen.
      await expect(form(page).locator('input[type=file]')).toHaveValue('')
      await chooser.setFiles(path)
      await upload(page).click()
      await expect(messages(page)).toContainText('Created 1 device')
      await saveCredentials(page)
      await expect.poll(() => total(page)).toBe(before + 1)
    })
    await test.step('a file with errors lists every bad row and creates nothing; the corrected file is accepted', async () => {
      const before = await total(page)
      const csv = (...rows: string[]) => [header.join(','), ...rows].join('\n')
      const good = 'FE:E2:F0:00:03:01,esp32,RO-400 Home,,vendor,Good'
      await choose(page, 'broken.csv', csv(good, 'FE:E2:F0:00:03:02,,RO-400 Home,,vendor,', 'xyz,esp32,RO-9,,nobody,'))
      await upload(page).click()
      const errors = form(page).getByRole('alert', { name: 'Errors' })
      await expect(errors).toContainText('Row 3: platform is required')
      await expect(errors).toContainText('Row 4: bssid must be twelve hex digits')
      await expect(errors).toContainText('Row 4: vendor nobody not found')
      await expect(messages(page)).toContainText('Row 3: platform is required')
      await expect(form(page).getByText('broken.csv')).toBeVisible()
      await expect(upload(page)).toBeEnabled()
      expect(await total(page)).toBe(before)

      // The form keeps the file, so that it can be sent again.
      const again = page.waitForResponse('**/api/v3/devices/file*')
      await upload(page).click()
      expect((await again).status()).toBe(400)

      await choose(page, 'corrected.csv', csv(good, 'FE:E2:F0:00:03:02,esp32,RO-400 Home,,vendor,'))
      await upload(page).click()
      await expect(messages(page)).toContainText('Created 2 devices')
      // The credentials dialog hides the form, so it is closed first.
      await saveCredentials(page)
      await expect(form(page)).toBeVisible()
      await expect(form(page).getByText('corrected.csv')).toHaveCount(0)
      await expect(form(page).locator('input[type=file]')).toHaveValue('')
      await expect.poll(() => total(page)).toBe(before + 2)
    })
  })
  await backToDevices(page)
  await openForm(page)
  await test.step('from a .csv of Excel and from an .xlsx', async () => {
    await test.step('devices are created from a .csv of Excel, with byte order mark, semicolons and a quoted line break', async () => {
      const before = await total(page)
      const lines = [
        header.join(';'),
        'FE:E2:F0:00:01:01;esp32;RO-400 Home;FS-400;vendor;"Küche\r\nzweiter Stock; links"',
        'fee2f0000102;esp32;ro-400 home;;VENDOR;Flur',
        '',
      ]
      await choose(page, 'Geräte.csv', `\uFEFF${lines.join('\r\n')}`)
      await upload(page).click()
      await expect(messages(page)).toContainText('Created 2 devices')
      await saveCredentials(page)
      await expect.poll(() => total(page)).toBe(before + 2)
      await page.keyboard.press('Escape')
      await searchFor(page, 'FE:E2:F0:00:01', 2)
      await expect(row(page, 'FE:E2:F0:00:01:02')).toContainText('Aquaterra Water Systems')
      expect((await columnValues(page, 'Description')).toSorted()).toEqual([
        'Flur',
        expect.stringMatching(/zweiter Stock; links$/),
      ])
    })
    await backToDevices(page)
    await openForm(page)
    await test.step('devices are created from an .xlsx', async () => {
      const rows = [header, ['FE:E2:F0:00:02:01', 'esp32', 'RO-400 Home', '', 'vendor2', 'From a spreadsheet']]
      const book = { SheetNames: ['Devices'], Sheets: { Devices: utils.aoa_to_sheet(rows) } }
      await choose(page, 'devices.xlsx', write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer)
      await upload(page).click()
      await expect(messages(page)).toContainText('Created 1 device')
      await saveCredentials(page)
      await searchFor(page, 'FE:E2:F0:00:02', 1)
      await expect.poll(() => columnValues(page, 'Description')).toEqual(['From a spreadsheet'])
    })
  })
  await backToDevices(page)
  await openForm(page)
  await test.step('the templates can be uploaded unchanged', async () => {
    for (const kind of ['csv', 'xlsx'] as const) {
      const download = page.waitForEvent('download')
      await form(page)
        .getByRole('button', { name: `.${kind}`, exact: true })
        .click()
      const file = await download
      expect(file.suggestedFilename()).toBe(`devices-template.${kind}`)
      const content = await readFile(await file.path())
      await choose(page, file.suggestedFilename(), content)
      await upload(page).click()
      // Both templates contain the same example, so the second upload reports that the device already exists.
      if (kind === 'csv') {
        await expect(messages(page)).toContainText('Created 1 device')
        await saveCredentials(page)
      } else await expect(messages(page)).toContainText('Row 2: bssid A4:1C:09:7E:33:0B already exists')
    }
  })
})

/** Creating filtration systems, groups and cartridge types from files: valid ones, files with errors, and templates. */
import { readFile } from 'node:fs/promises'
import { unique } from '../support/api.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  clearList,
  find,
  form,
  go,
  panel,
  rowOf,
  expectMessage,
  signInAtList,
  submit,
  tabTo,
  total,
} from '../support/lists.ts'

const kinds = [
  {
    screen: 'groups',
    form: 'Upload groups',
    header: 'name',
    good: (name: string) => name,
    bad: { line: 'Office', message: 'Row 3: name Office already exists' },
    one: '1 group',
    template: 'Countertop',
  },
  {
    screen: 'cartridgeTypes',
    form: 'Upload cartridge types',
    header: 'model,type,resource,ttl,name,description,purchase_url,image_url',
    good: (name: string) => `${name},post-filter,100,30,Test,,,`,
    bad: { line: 'X-1,sponge,100,30,Test,,,', message: 'Row 3: type' },
    one: '1 cartridge type',
    template: 'TFC-600',
  },
  {
    screen: 'filtrationSystems',
    form: 'Upload filtration systems',
    header: 'model,group,vendor,flushing,cartridges',
    good: (name: string) => `${name},Office,vendor,yes,PP-5; T33`,
    bad: { line: 'X-1,No such group,nobody,perhaps,PP-5', message: 'Row 3: group No such group not found' },
    one: '1 filtration system',
    template: 'FS-600',
  },
] as const

test('a file with errors is refused row by row, and a valid file and the template are accepted, in three lists', async ({
  page,
}) => {
  test.slow()
  await signInAtList(page, 'admin', kinds[0].screen)
  for (const kind of kinds)
    await test.step(kind.form, async () => {
      const name = unique('Up')
      if (kind !== kinds[0]) await go(page, kind.screen)
      const before = await total(page)
      await expect(panel(page).getByRole('tab').first()).toBeVisible()
      await page.keyboard.press('c')
      const upload = form(page, kind.form)
      const file = upload.locator('input[type=file]')
      await expect(file).toBeFocused()

      const choose = (lines: readonly string[]) =>
        file.setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
      await choose([kind.header, kind.good(name), kind.bad.line])
      await file.focus()
      await submit(page)
      await expectMessage(page, kind.bad.message)
      await expect(upload.getByRole('alert', { name: 'Errors' })).toContainText(kind.bad.message)
      expect(await total(page)).toBe(before)

      await choose([kind.header, kind.good(name)])
      await file.focus()
      await submit(page)
      await expectMessage(page, `Created ${kind.one}`)
      await expect.poll(() => total(page)).toBe(before + 1)

      const download = page.waitForEvent('download')
      await tabTo(page, upload.getByRole('button', { name: '.xlsx', exact: true }))
      await page.keyboard.press('Enter')
      const saved = await download
      expect(saved.suggestedFilename()).toMatch(/-template\.xlsx$/)
      await file.setInputFiles({
        name: saved.suggestedFilename(),
        mimeType: 'application/octet-stream',
        buffer: await readFile(await saved.path()),
      })
      await file.focus()
      await submit(page)
      await expect.poll(() => total(page)).toBe(before + 2)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await find(page, name, 1)
      await expect(rowOf(page, name)).toBeVisible()
      await page.keyboard.press('Escape')
      await find(page, kind.template, 1)
      await clearList(page)
    })
})

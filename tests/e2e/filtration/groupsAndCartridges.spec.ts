/** Groups and cartridge types, with the keyboard alone: edited one at a time, and never deleted. */
import { callerFor, unique } from '../support/api.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  countCalls,
  form,
  go,
  lookUp,
  messages,
  openSection,
  palette,
  panel,
  rowOf,
  expectMessage,
  select,
  signInAtList,
  submit,
  typeInto,
  columnValues,
  clearList,
  closeMessages,
} from '../support/lists.ts'

test('groups and cartridge types are edited in the form, one at a time, and never deleted', async ({
  page,
  server,
}) => {
  test.slow()
  await test.step('groups and cartridge types are never deleted, and edited one at a time', async () => {
    await signInAtList(page, 'admin', 'groups')
    for (const screen of ['groups', 'cartridgeTypes'] as const)
      await test.step(`no key, tab or command deletes ${screen}`, async () => {
        if (screen !== 'groups') await go(page, screen)
        await page.keyboard.press('Control+a')
        await expect(panel(page).getByRole('tab')).toHaveText(['Info', 'Update', 'Create'])
        await page.keyboard.press('Delete')
        await page.keyboard.press('Backspace')
        await expect(page.getByRole('alertdialog')).toHaveCount(0)
        await expect(messages(page)).toHaveText('')
        // The palette offers no command that deletes the rows of this list.
        const options = await lookUp(page, 'Delete')
        await expect(options.filter({ hasNotText: /selected|saved selection|event|script|job/ })).toHaveCount(0)
        await clearList(page)
      })
    await test.step('cartridge types can only be edited one at a time', async () => {
      await select(page, 'TFC-75', 'MIN-10')
      await page.keyboard.press('Shift+E')
      await expectMessage(page, 'Please select one entity')
      await expect(palette(page)).toBeHidden()
      await openSection(page, 'Update')
      await expect(panel(page).getByRole('form')).toContainText('Please select one entity')
      await expect(panel(page).getByRole('button', { name: 'Save' })).toBeDisabled()
    })
  })
  await clearList(page)
  await go(page, 'groups')
  await clearList(page)
  await closeMessages(page)
  await test.step('they are edited in the form', async () => {
    await test.step('a group can be renamed, but not to the name of another group', async () => {
      const admin = await callerFor(server.url, 'admin')
      const name = unique('Group')
      await admin.upload('/api/v4/filtration-system-groups/file', `name\n${name}`)
      await select(page, name)
      await openSection(page, 'Update')
      const field = form(page, 'Rename group').getByRole('textbox', { name: 'Name' })
      await expect(field).toHaveValue(name)
      await typeInto(page, field, 'Office')
      await submit(page)
      await expectMessage(page, 'A group of this name already exists')
      await expect(field).toHaveValue('Office')
      await typeInto(page, field, `${name} renamed`)
      await submit(page)
      await expectMessage(page, 'Group updated')
      await expect(rowOf(page, `${name} renamed`)).toBeVisible()
    })
    await clearList(page)
    await test.step('a cartridge type can be edited', async () => {
      const admin = await callerFor(server.url, 'admin')
      const model = unique('CT')
      const csv = `model,type,resource,ttl,name,description,purchase_url,image_url\n${model},membrane,5000,100,Test,,,`
      await admin.upload('/api/v3/cartridge-types/file', csv)
      await go(page, 'cartridgeTypes')
      const calls = countCalls(page, 'PUT', /\/cartridge-types\/[^/]+$/)
      await select(page, model)
      await openSection(page, 'Update')
      const edit = form(page, 'Edit cartridge type')
      const field = (name: string | RegExp) => edit.getByRole('textbox', { name })
      const lifetime = field('Lifetime')
      const resource = field('Resource')
      await expect(field('Model')).toHaveValue(model)
      await expect(edit.getByRole('radio', { name: 'Membrane' })).toBeChecked()
      await expect(resource).toHaveValue('5000')
      await expect(lifetime).toHaveValue('100')
      await typeInto(page, lifetime, '365')
      await typeInto(page, resource, '6000')
      await typeInto(page, field('Purchase link'), 'https://example.com/buy')
      await submit(page)
      await expectMessage(page, 'Cartridge type updated')
      expect(calls).toEqual([{ body: { resource: 6000, ttl: 365, purchase_url: 'https://example.com/buy' } }])
      await expect.poll(() => columnValues(page, 'Purchase link')).toEqual(['example.com/buy'])
      await expect(rowOf(page, model).getByRole('link', { name: 'example.com/buy' })).toHaveAttribute(
        'href',
        'https://example.com/buy',
      )
    })
  })
})

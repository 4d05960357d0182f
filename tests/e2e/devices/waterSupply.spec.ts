/** The water supply of devices, set with the keyboard alone. */
import type { Device } from '../../../src/api/contract/devices.ts'
import { callerFor, newDevices, unique } from '../support/api.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { confirm, expectMessage, palette, select, table } from '../support/lists.ts'

test('a water supply is typed for several devices, suggested for others, and undone', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const ids = await newDevices(admin, 3)
  const supplies = async () => {
    const devices = await Promise.all(ids.map(id => admin.call('GET', `/api/v3/devices/${id}`)))
    return devices.map(device => (device as Device).water_supply)
  }
  const label = unique('Harbour main')
  await signIn(page, 'admin')
  await expect(table(page)).toHaveAttribute('aria-busy', 'false')
  const choose = async (text: string, option: string) => {
    await page.keyboard.press('s')
    await page.keyboard.press('s')
    await expect(palette(page).getByRole('combobox', { name: 'Water supply', exact: true })).toBeFocused()
    await page.keyboard.insertText(text)
    await expect(palette(page).getByRole('option', { name: option, exact: true })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await page.keyboard.press('Enter')
  }

  await select(page, ids[0]!, ids[1]!)
  await choose(label, `${label} New label`)
  await confirm(page, 'Set water supply: 2 devices')
  await expectMessage(page, 'Settings updated for 2 out of 2 devices')
  expect(await supplies()).toEqual([label, label, null])

  // A label in use is found in any case, and kept as it is written there.
  await select(page, ids[2]!)
  await choose(label.toUpperCase(), label)
  await confirm(page, 'Set water supply: 3 devices')
  await expectMessage(page, 'Settings updated for 3 out of 3 devices')
  expect(await supplies()).toEqual([label, label, label])
  await page.keyboard.press('z')
  await confirm(page, /^Undo/)
  await expect.poll(supplies).toEqual([label, label, null])
})

/** The alarms on the overview: figures, bars and table, the range in the address, and the devices with the most. */
import { check } from '../support/axe.ts'
import { loaded, selectedCount } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { newNotifyingVendor, password } from '../support/notifications.ts'

test('the alarms of the overview are shown for a range, as bars and as a table, and lead to their devices', async ({
  page,
  server,
}) => {
  test.slow()
  const vendor = await newNotifyingVendor(server)
  await vendor.raiseAllFaults(1)
  const alarms = (await vendor.list()).length
  await signIn(page, vendor.login, password)
  await loaded(page)
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  const figures = page.getByRole('img', { name: /^Alarms by day/ })
  const worst = page.getByRole('button', { name: /^Under the sink: \d+, / })
  await test.step('today has the notifications of the vendor, and of no other', async () => {
    await expect(figures).toHaveAccessibleName(new RegExp(`^Alarms by day: ${alarms} in 7 days`))
    await expect(worst).toHaveAccessibleName(new RegExp(`^Under the sink: ${alarms}, `))
    await check(page, 'the overview with alarms')
  })

  await test.step('the range is in the address, and kept when the page is loaded again', async () => {
    await page.keyboard.press('2')
    await expect(page).toHaveURL(/\/overview\?range=month$/)
    await expect(figures).toHaveAccessibleName(/ in 30 days/)
    await page.reload()
    await expect(figures).toHaveAccessibleName(/ in 30 days/)
    await page.getByRole('radio', { name: '7 days' }).click()
    await expect(page).toHaveURL(/\/overview$/)
    await page.goBack()
    await expect(page.getByRole('radio', { name: '30 days' })).toBeChecked()
    await expect(figures).toHaveAccessibleName(/ in 30 days/)
  })

  await test.step('the table has the same numbers, by key and by mouse', async () => {
    await page.keyboard.press('d')
    const table = page.getByRole('table', { name: 'Alarms by day' })
    await expect(table.getByRole('row')).toHaveCount(31)
    await expect(table.getByRole('row').nth(1).getByRole('cell').first()).toHaveText(String(alarms))
    await check(page, 'the overview with a table of alarms', 'main table')
    await page.getByRole('button', { name: 'Show bars' }).click()
    await expect(figures).toBeVisible()
  })

  await test.step('the devices with the most alarms are selected together', async () => {
    await page.keyboard.press('Shift+A')
    await expect(page).toHaveURL(/\/devices/)
    await selectedCount(page, 1)
    await page.keyboard.press('g')
    await page.keyboard.press('o')
  })

  await test.step('one of them is opened by keys and by mouse', async () => {
    const isFocused = () => worst.evaluate(element => element === document.activeElement)
    await expect(worst).toBeVisible()
    for (let presses = 0; presses < 30 && !(await isFocused()); presses++) await page.keyboard.press('j')
    await expect(worst).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: vendor.bssid })).toBeAttached()
    await page.goBack()
    await worst.click()
    await expect(page.getByRole('heading', { level: 1, name: vendor.bssid })).toBeAttached()
  })
})

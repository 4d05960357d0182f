/** The charts with errors, missing or too many devices, and on days when clocks change. */
import { callerFor, newDevices } from '../support/api.ts'
import { check, start } from '../support/axe.ts'
import { atCursor, chart, openCharts, chip, expectDrawn, numbers, readingDevice } from '../support/charts.ts'
import { loaded, palette } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { backToDevices } from '../support/lists.ts'

const statistics = /\/api\/v3\/devices\/statistics\?/

test('charts mark a deleted device, offer to retry one that fails, show the first twenty of many and the notifications, and axe finds nothing', async ({
  page,
  server,
}) => {
  test.slow()
  await start(page)
  await loaded(page)
  await test.step('charts mark a deleted device, offer to retry one that fails, and draw the others', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [working = '', deleted = '', failing = ''] = await newDevices(admin, 3)
    await openCharts(page, [working, deleted])
    await page.keyboard.press('2')
    await expectDrawn(page, 'Pressure')
    await admin.call('DELETE', '/api/v3/devices', { ids: [deleted] })
    // A single route for all states: while routes are exchanged, some requests would pass.
    let fails: 'one' | 'none' | 'all' = 'one'
    await intercept(page, statistics, route => {
      if (fails === 'all') return route.fulfill({ status: 503, json: { message: 'Back soon' } })
      return fails === 'one' && route.request().url().includes(encodeURIComponent(failing))
        ? route.fulfill({ status: 500, json: { message: 'Not today' } })
        : route.continue()
    })
    await page.keyboard.press('3')
    const chips = page.getByRole('list', { name: 'Devices' }).getByRole('listitem')
    await expect(chips.filter({ hasText: deleted })).toContainText('not found')
    await expectDrawn(page, 'Pressure')
    await expect(page.getByText('No readings').first()).toBeVisible()
    // The device that is added is requested by itself.
    await openCharts(page, [failing])
    const retry = page.getByRole('button', { name: `failed: Retry ${failing}` })
    await expect(retry).toBeVisible()
    await expectDrawn(page, 'Pressure')
    // Waits for an automatic retry to fail, so that the next one is not due right away.
    await page.waitForResponse(response => statistics.test(response.url()) && response.status() === 500)
    fails = 'none'
    await retry.click()
    await expect(retry).toHaveCount(0)

    // If all devices fail, the error replaces the charts.
    fails = 'all'
    await page.keyboard.press('4')
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText(/Back soon|not found/)
    fails = 'none'
    await alert.getByRole('button', { name: 'Retry' }).click()
    await expectDrawn(page, 'Pressure')
  })
  await backToDevices(page)
  await test.step('a notification on the time axis is read at the cursor and opened with Enter', async () => {
    const admin = await callerFor(server.url, 'admin')
    const { bssid, device } = await readingDevice(admin, server.mqttPort())
    await device.state({ status: 4 })
    await expect
      .poll(
        async () => (await admin.call('GET', `/api/v3/notifications?types=leak&devices=${bssid}`)) as { count: number },
      )
      .toMatchObject({ count: 1 })
    await openCharts(page, [bssid])
    await expectDrawn(page, 'Water production')
    await expect(async () => {
      await page.keyboard.press('j')
      await expect(atCursor(page)).toContainText(`Leak detected, ${bssid}.`, { timeout: 2000 })
    }).toPass()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/notifications(\?|$)/)
    await device.leave()
  })
  await backToDevices(page)
  await test.step('axe finds nothing on the charts and their table, in both themes', async () => {
    const bssids = await newDevices(await callerFor(server.url, 'admin'), 2)
    await openCharts(page, [])
    await check(page, 'no devices')
    await openCharts(page, bssids)
    await expectDrawn(page, 'Pressure')
    await chart(page, 'Pressure').hover()
    await check(page, 'charts', 'main')
    await page.getByRole('button', { name: `Highlight ${bssids[0]!}` }).click()
    await page.keyboard.press('Shift+d')
    await expectDrawn(page, 'Water production')
    await check(page, 'small charts, a device highlighted', 'main')
    await chip(page, bssids[0]!).click()
    await page.keyboard.press('d')
    await expect(numbers(page)).toBeVisible()
    await check(page, 'table', 'main')
  })
  await backToDevices(page)
  await test.step('of more than twenty selected devices, the charts show the first twenty or the chosen ones', async () => {
    await page.keyboard.press('Home')
    for (let pages = 0; pages < 2; pages++) {
      await page.keyboard.press('Control+a')
      await expect(page.getByRole('row', { selected: true })).not.toHaveCount(0)
      await page.keyboard.press(']')
      await loaded(page)
    }
    await openCharts(page, [])
    const note = page.getByText('The first 20 of 40 selected devices')
    await expect(note).toBeVisible()
    await expect(page.getByRole('button', { name: /^Lines of/ })).toHaveCount(20)
    const colours = await page
      .getByRole('button', { name: /^Highlight/ })
      .locator('span')
      .evaluateAll(all => all.map(one => getComputedStyle(one).backgroundColor))
    expect(new Set(colours).size).toBe(20)

    await page.getByRole('button', { name: 'Choose' }).click()
    const options = palette(page).getByRole('option')
    await expect(options.nth(30)).toBeAttached()
    await options.nth(30).click()
    await options.filter({ hasText: /^Done/ }).click()
    await expect(page.getByText('1 of 40 selected devices')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Lines of/ })).toHaveCount(1)
  })
})

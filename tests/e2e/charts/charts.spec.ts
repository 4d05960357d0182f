/** The charts with the keyboard alone and with the mouse alone, and their numbers compared with the server's. */
import { bucketLabel, periodLabel } from '../../../src/domain/charts/axis.ts'
import { wallTime } from '../../../src/domain/zone.ts'
import { callerFor } from '../support/api.ts'
import {
  atCursor,
  chart,
  openCharts,
  chip,
  expectDrawn,
  numbers,
  readingDevice,
  statistics,
  tip,
} from '../support/charts.ts'
import { loaded, palette } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { backToDevices, tabTo } from '../support/lists.ts'

/** Hours west of UTC of a zone where it is about noon, so that no midnight falls into a test. */
const westwards = new Date().getUTCHours() - 12
const zoneAt = (hours: number) => `Etc/GMT${hours < 0 ? '' : '+'}${hours}`
const viewer = zoneAt(westwards)
test.use({ timezoneId: viewer })

/** Returns the label of the bucket that starts at a time, in a time zone. */
const labelIn = (zone: string, at: string) =>
  bucketLabel({ x: 0, wall: wallTime(zone, Date.parse(at)), isRepeated: false, startsAt: 0 }, 600)

test('the table shows the server’s numbers, in the viewer’s and the device’s time zone and in other units', async ({
  page,
  server,
}) => {
  test.slow()
  const admin = await callerFor(server.url, 'admin')
  const { bssid, device } = await readingDevice(admin, server.mqttPort())
  // Two hours ahead, which is on the same day.
  const deviceZone = zoneAt(westwards - 2)
  await admin.call('PUT', '/api/v3/devices/time-zone', { ids: [bssid], time_zone: deviceZone })
  await signIn(page, 'admin')
  await openCharts(page, [bssid])
  await page.keyboard.press('d')
  await expect(numbers(page)).toHaveAccessibleName('Water production and waste, l')
  // Keys scroll it at once.
  const top = () => numbers(page).evaluate(table => table.scrollTop)
  const left = () => numbers(page).evaluate(table => table.scrollHeight - table.clientHeight - table.scrollTop)
  await page.keyboard.press('End')
  // The browser scrolls in steps, and a key before the last one may have no effect.
  await expect.poll(left).toBeLessThan(1)
  await page.keyboard.press('Home')
  await expect.poll(top).toBe(0)

  for (const zone of [viewer, deviceZone]) {
    if (zone === deviceZone) {
      await page.keyboard.press('o')
      await expect(page.getByText('each device in its own time zone')).toBeVisible()
    }
    const read = (await statistics(admin, bssid, zone)).filter(({ permeate }) => (permeate ?? 0) > 0)
    expect(read.length).toBeGreaterThan(0)
    for (const { at, permeate, waste } of read)
      await expect(
        numbers(page)
          .getByRole('row', { name: labelIn(zone, at) })
          .getByRole('cell'),
      ).toHaveText([permeate!.toFixed(1), waste!.toFixed(1)])
  }

  const select = page.getByRole('combobox', { name: 'Chart' })
  await select.selectOption('Pressure')
  await expect(numbers(page)).toHaveAccessibleName('Pressure, bar')
  await page.evaluate(() => {
    const units = { volume: 'gal', temperature: 'F', pressure: 'psi', concentration: 'gpg', flow: 'gal/min' }
    localStorage.setItem('permeate:preferences', JSON.stringify({ units }))
  })
  await page.reload()
  await select.selectOption('Pressure')
  await expect(numbers(page)).toHaveAccessibleName('Pressure, psi')
  // 4 bar.
  await expect(numbers(page).getByRole('cell', { name: '58.0', exact: true }).first()).toBeVisible()
  await device.leave()
})

test('charts are read, zoomed and moved through time with the keyboard alone and with the mouse alone', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('keys read values, zoom, enlarge a chart, hide a device, and move through time', async () => {
    const admin = await callerFor(server.url, 'admin')
    // The same time for both, so that their readings are in the same buckets.
    const now = Date.now()
    const one = await readingDevice(admin, server.mqttPort(), { now })
    const other = await readingDevice(admin, server.mqttPort(), { now, pressure: 5 })
    await openCharts(page, [one.bssid, other.bssid])
    await expectDrawn(page, 'Pressure')
    const pressure = chart(page, 'Pressure')
    await tabTo(page, pressure)
    // A mouse that moves over another chart does not change which one the keys read.
    await chart(page, 'Purification').first().hover()

    // Moves from the first bucket to the first one with readings of both. Every ten minutes a bucket is added at the end,
    // and the first one goes: if that happens meanwhile, the keys are pressed again.
    await expect(async () => {
      const read = (await statistics(admin, one.bssid, viewer)).findIndex(({ pressure: bar }) => bar !== null)
      await page.keyboard.press('Home')
      for (let at = 0; at < Math.floor(read / 10); at++) await page.keyboard.press('PageDown')
      for (let at = 0; at < read % 10; at++) await page.keyboard.press('ArrowRight')
      await expect(atCursor(page)).toContainText(`Pressure: ${one.bssid} 4.00 bar. ${other.bssid} 5.00 bar.`, {
        timeout: 3_000,
      })
    }).toPass()

    const reset = page.getByRole('button', { name: 'Reset zoom' })
    for (let at = 0; at < 3; at++) await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await expect(reset).toBeVisible()
    // The cursor stays within the zoomed range of four buckets.
    await page.keyboard.press('Home')
    await expect(atCursor(page)).toContainText('4.00 bar')
    await page.keyboard.press('Escape')
    await expect(reset).toHaveCount(0)
    await page.keyboard.press('Home')
    await expect(async () => {
      const [first] = await statistics(admin, one.bssid, viewer)
      await expect(atCursor(page)).toContainText(labelIn(viewer, first!.at), { timeout: 3_000 })
    }).toPass()

    await page.keyboard.press('m')
    await expect(page.getByRole('application')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('application')).toHaveCount(8)

    await page.keyboard.press('h')
    await expect(palette(page).getByRole('option', { name: new RegExp(`^${other.bssid}`) })).toBeVisible()
    await page.keyboard.insertText(other.bssid)
    await expect(palette(page).getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(chip(page, other.bssid)).toHaveAttribute('aria-pressed', 'false')

    // The legend is one Tab stop, whose arrow keys highlight devices instead of moving the cursor.
    const name = (bssid: string) => page.getByRole('button', { name: `Highlight ${bssid}` })
    await page.getByRole('button', { name: 'Add' }).focus()
    await page.keyboard.press('Shift+Tab')
    await expect(name(one.bssid)).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(name(other.bssid)).toBeFocused()
    await expect(name(other.bssid)).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('Escape')
    await expect(name(other.bssid)).toHaveAttribute('aria-pressed', 'false')

    await chip(page, other.bssid).click()
    await page.keyboard.press('Shift+d')
    await expect(page.getByRole('application', { name: /^Pressure, bar, \w\w:/ })).toHaveCount(2)
    await expect(page).toHaveURL(/layout=device/)
    await page.keyboard.press('Shift+d')
    await expect(page.getByRole('application')).toHaveCount(8)

    const dateRange = page.getByRole('status', { name: 'Date range' })
    await expect(dateRange).toHaveText('Last 24 hours')
    await page.keyboard.press('[')
    const yesterday = now - 86_400_000
    await expect(dateRange).toHaveText(periodLabel({ range: 'day', until: new Date(yesterday).toISOString() }, viewer))
    await expect(page.getByText('No readings').first()).toBeVisible()
    await page.keyboard.press('n')
    await page.keyboard.press('4')
    await expect(page.getByRole('radio', { name: 'Year' })).toBeChecked()
    await expect(dateRange).toHaveText('Last 12 months')
    await one.device.leave()
    await other.device.leave()
  })
  await backToDevices(page)
  await test.step('with the mouse alone: range, tooltip, zoom by drag, chips, one chart enlarged, table, removing a device', async () => {
    const admin = await callerFor(server.url, 'admin')
    const { bssid, device } = await readingDevice(admin, server.mqttPort())
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Charts/ })
      .click()
    await expect(page.getByText('No devices selected', { exact: true }).last()).toBeVisible()
    await page.getByRole('button', { name: 'Find and select device' }).click()
    await palette(page).getByRole('combobox').fill(bssid)
    await palette(page)
      .getByRole('option', { name: new RegExp(`^${bssid}`) })
      .click()
    await expect(chip(page, bssid)).toBeVisible()

    await page.getByRole('radio', { name: 'Week' }).click()
    await expect(page.getByRole('radio', { name: 'Week' })).toBeChecked()
    const production = chart(page, 'Water production')
    await expectDrawn(page, 'Water production')
    const box = (await production.boundingBox())!
    // Retries, since the range may be about to change, which moves the cursor.
    await expect(async () => {
      await page.mouse.move(box.x + box.width * 0.69, box.y + box.height / 2)
      await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2)
      await expect(tip(page)).toContainText(bssid, { timeout: 1000 })
    }).toPass()

    const reset = page.getByRole('button', { name: 'Reset zoom' })
    const drag = async () => {
      await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2)
      await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2)
      await page.mouse.up()
      await expect(reset).toBeVisible()
    }
    await drag()
    await reset.click()
    await expect(reset).toHaveCount(0)
    await drag()
    await page.mouse.dblclick(box.x + box.width * 0.6, box.y + box.height / 2)
    await expect(reset).toHaveCount(0)

    await chip(page, bssid).click()
    await expect(chip(page, bssid)).toHaveAttribute('aria-pressed', 'false')
    await expect(page.getByText('All devices are hidden')).toHaveCount(8)
    await chip(page, bssid).click()
    await page.getByRole('button', { name: 'Enlarge Temperature' }).click()
    await expect(page.getByRole('application')).toHaveCount(1)
    await page.getByRole('button', { name: 'Table' }).click()
    await expect(numbers(page)).toHaveAccessibleName('Temperature, °C')
    await page.getByRole('button', { name: 'Lines', exact: true }).click()
    await page.getByRole('button', { name: 'All charts' }).click()
    await expect(page.getByRole('application')).toHaveCount(8)
    await page.getByRole('button', { name: `Remove ${bssid}` }).click()
    await expect(page.getByText('No devices selected', { exact: true }).last()).toBeVisible()
    await device.leave()
  })
})

/** The health of devices: in the list, on a device's screen and in the panel, explained, and by keys alone. */
import type { Page } from '@playwright/test'
import { callerFor, newCredential, newDevices, unique } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { storeHealth } from '../support/deviceHealth.ts'
import { confirm, focusDevice, loaded, panel, row } from '../support/devices.ts'
import { expect, signIn, test, visit, type WorkerServer } from '../support/fixtures.ts'
import { backToDevices, expectMessage } from '../support/lists.ts'
import { intercept } from '../support/intercept.ts'

const section = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Health', exact: true })
const chart = (page: Page, name: string) => section(page).getByRole('img', { name: new RegExp(`^${name}: `) })
const dialog = (page: Page) => page.getByRole('dialog')

/** Creates a device whose standard flow has fallen for two months, and six that are well, on one supply. */
async function foulingAmongNeighbours(server: WorkerServer): Promise<string> {
  const admin = await callerFor(server.url, 'admin')
  const ids = await newDevices(admin, 7)
  await admin.call('PUT', '/api/v3/devices/water-supply', { ids, water_supply: unique('supply') })
  const [fouled = '', ...others] = ids
  await storeHealth(server.databaseUrl, 120, {
    ...Object.fromEntries(others.map(id => [id, undefined])),
    [fouled]: day => ({ a: day < 60 ? 0 : -0.006 * (day - 60) }),
  })
  return fouled
}

test('a device that fouls is marked in the list, shown with its neighbours, explained by keys, and fits on a phone; a new one is learned', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  const fouled = await foulingAmongNeighbours(server)
  await test.step('a new device is learned, and a failed response can be retried', async () => {
    const { bssid } = await newCredential(await callerFor(server.url, 'admin'))
    // Before the panel of the focused device reads its health.
    const path = `**/api/v3/devices/${encodeURIComponent(bssid)}/health?*`
    await intercept(page, path, route => route.fulfill({ status: 500, json: { message: 'It is down' } }))
    await focusDevice(page, bssid)
    await expect(row(page, bssid)).toContainText('Learning')
    await visit(page, `/devices/${bssid}`)
    await expect(section(page).getByRole('alert')).toContainText('It is down')
    await page.unroute(path)
    await section(page).getByRole('button', { name: /Retry/ }).click()
    await expect(section(page).getByRole('meter', { name: 'Days learned' })).toBeVisible()
    await expect(section(page)).toContainText('No days with data yet')
  })
  await test.step('a device that fouls is marked in the list, shown with its neighbours, and explained by keys', async () => {
    await backToDevices(page)
    await focusDevice(page, fouled)
    await test.step('the list names score and cause', async () => {
      await expect(row(page, fouled)).toContainText(/\d+ · Fouling/)
      await expect(panel(page).getByRole('article', { name: 'Finding' })).toContainText(/fouling/i)
      await check(page, 'health in the panel', 'aside')
    })

    await page.keyboard.press('Enter')
    await test.step('the screen has score, finding and charts with words for them', async () => {
      await expect(section(page).getByRole('meter', { name: 'Health score' })).toBeVisible()
      await expect(section(page).getByRole('article', { name: 'Finding' })).toContainText(/Standard flow −\d+ %/)
      await expect(chart(page, 'Standard flow')).toHaveAccessibleName(/% of new on .* neighbours (99|100|101) %/)
      await expect(chart(page, 'Standard flow')).toHaveAccessibleName(/Fouling: began about .* between .* and /)
      await expect(chart(page, 'Feed TDS')).toBeAttached()
      await section(page).scrollIntoViewIfNeeded()
      await expect(chart(page, 'Standard flow').locator('canvas[data-painted]')).toBeAttached()
      await check(page, 'health on the screen of a device')
    })

    await test.step('keys change the range, and show each day and the table', async () => {
      await page.keyboard.press('1')
      await expect(section(page).getByRole('radio', { name: 'Month' })).toBeChecked()
      await expect(chart(page, 'Standard flow')).toHaveAccessibleName(/in (30|31) days with data/)
      await page.keyboard.press('3')
      await expect(chart(page, 'Standard flow')).toHaveAccessibleName(/in 120 days with data/)
      const painted = chart(page, 'Standard flow').locator('canvas').first()
      const before = await painted.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
      await page.keyboard.press('y')
      await expect(section(page).getByRole('button', { name: 'Hide days' })).toBeVisible()
      await expect.poll(() => painted.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())).not.toBe(before)
      await expect(section(page)).toContainText('as measured, without standard conditions')
      await page.keyboard.press('d')
      await expect(section(page).getByRole('row')).toHaveCount(121)
      await page.keyboard.press('d')
      await expect(chart(page, 'Standard flow')).toBeVisible()
    })

    await test.step('the explanation compares what was observed with what two causes would do', async () => {
      await page.keyboard.press('Shift+H')
      await expect(dialog(page)).toContainText('The test that decides')
      await expect(dialog(page).getByRole('columnheader', { name: 'Fouling expects' })).toBeVisible()
      await expect(dialog(page).getByRole('row', { name: /^Standard flow/ })).toContainText(/−\d+ % ± \d+ %/)
      await expect(dialog(page)).toContainText('ASTM D4516')
      await check(page, 'the explanation', '[role=dialog]')
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toHaveCount(0)
      await page.keyboard.press('Shift+Y')
      await expect(dialog(page)).toContainText('Draw water for 3 minutes')
      await check(page, 'the help', '[role=dialog]')
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toHaveCount(0)
      await section(page).getByRole('button', { name: 'Dismiss' }).focus()
      await page.keyboard.press('?')
      await expect(dialog(page)).toContainText('Health: what is measured')
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toHaveCount(0)
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
      await page.keyboard.press('?')
      await page.keyboard.type('help on health')
      await expect(dialog(page)).toContainText('shift+y')
      await page.keyboard.press('Escape')
    })

    await test.step('the finding is dismissed where it is read, and that is undone', async () => {
      await section(page).getByRole('button', { name: 'Dismiss' }).click()
      await expectMessage(page, 'Dismissed 1 of 1 finding')
      await expect(section(page).getByRole('article', { name: 'Finding' })).toHaveCount(0)
      await page.keyboard.press('z')
      await expectMessage(page, 'Undid “Dismiss”')
      await expect(section(page).getByRole('article', { name: 'Finding' })).toBeVisible()
    })

    await test.step('its baseline is reset and restored', async () => {
      await expect(dialog(page)).toHaveCount(0)
      await page.keyboard.press('s')
      await page.keyboard.press('l')
      await confirm(page, /^Reset the baseline of/)
      await expectMessage(page, 'Reset the baseline of 1 of 1 device')
      await page.keyboard.press('z')
      await expectMessage(page, 'Undid “Reset baseline (cleaned)”')
      const at = `/api/v3/health/findings?column=bssid&operator=eq&search=${fouled}`
      const admin = await callerFor(server.url, 'admin')
      expect(await admin.call('GET', at)).toMatchObject({ data: [{ state: 'open', cause: 'fouling' }] })
    })
  })
  await test.step('health fits into a narrow window and a phone', async () => {
    await expect(chart(page, 'Standard flow')).toBeAttached()
    for (const width of [1024, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await expect
        .poll(() => section(page).evaluate(element => element.scrollWidth - element.clientWidth), `at ${width} px`)
        .toBe(0)
    }
  })
})

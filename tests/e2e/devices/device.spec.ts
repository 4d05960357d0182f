/** The screen of a device: its live data, its settings, and the way to the next device and back. */
import type { Page } from '@playwright/test'
import { callerFor, newCredential } from '../support/api.ts'
import { check } from '../support/axe.ts'
import {
  focusDevice,
  grid,
  loaded,
  messages,
  panel,
  row,
  rowAt,
  shownDevices,
  statusBar,
  clearList,
} from '../support/devices.ts'
import { expect, signIn, signInAt, test, visit } from '../support/fixtures.ts'
import { holdRequests } from '../support/holdRequests.ts'
import { backToDevices, openSection, submit, tabTo } from '../support/lists.ts'
import { connectDevice } from '../support/wireDevice.ts'

const main = (page: Page) => page.getByRole('main')
const section = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true })
/** The value of a term in a section. */
const fact = (page: Page, name: string, term: string) =>
  section(page, name)
    .locator('dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${term}$`) }) })
    .getByRole('definition')
const expectDevice = (page: Page, bssid: string) =>
  expect(page.getByRole('heading', { level: 1, name: bssid, exact: true })).toBeFocused()
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })

test('next and previous go through the list or the selection, Esc leads back to the row, and keys scroll the screen of a device', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('next and previous go through the list across its pages, and Esc leads back to the row', async () => {
    const first = await shownDevices(page)
    await page.keyboard.press('End')
    await expect(rowAt(page, 20)).toBeFocused()
    const last = (await rowAt(page, 20).getAttribute('data-id'))!
    await page.keyboard.press('Enter')
    await expectDevice(page, last)
    await expect(main(page)).toContainText(/20 of \d+/)
    await page.keyboard.press(']')
    await expect(main(page)).toContainText(/21 of \d+/)
    expect(first).not.toContain(decodeURIComponent(page.url().split('/').at(-1)!))
    await page.keyboard.press(']')
    await expect(main(page)).toContainText(/22 of \d+/)
    await page.keyboard.press('[')
    await expect(main(page)).toContainText(/21 of \d+/)
    // A reload keeps the position.
    await page.reload()
    await expect(main(page)).toContainText(/21 of \d+/)
    const here = decodeURIComponent(page.url().split('/').at(-1)!)
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/\/devices(\?|$)/)
    await expect(row(page, here)).toBeFocused()
    await expect(main(page)).toContainText(/21–40 of/)
    await page.keyboard.press('Enter')
    await expectDevice(page, here)
    await page.keyboard.press('[')
    await expectDevice(page, last)
    // Back leads to the list at once, no matter how many devices were opened.
    await page.goBack()
    await expect(page).toHaveURL(/\/devices(\?|$)/)
  })
  await backToDevices(page)
  await test.step('a device opened from a selection has it as neighbours, and Enter right after Esc opens a device again', async () => {
    await test.step('a device opened from a selection has the selected devices as neighbours, with the mouse alone', async () => {
      const [, one = '', , other = ''] = await shownDevices(page)
      await row(page, one).getByRole('checkbox').click()
      await row(page, other).getByRole('checkbox').click()
      await row(page, one).dblclick()
      await expectDevice(page, one)
      await expect(main(page)).toContainText('1 of 2 selected')
      await expect(button(page, 'Previous device')).toHaveAttribute('aria-disabled', 'true')
      await button(page, 'Next device').click()
      await expectDevice(page, other)
      await expect(main(page)).toContainText('2 of 2 selected')
      // The disabled button explains itself when it is clicked.
      await button(page, 'Next device').click({ force: true })
      await expect(messages(page)).toContainText('This is the last device')
      await button(page, 'Back to list').click()
      await expect(row(page, other)).toBeFocused()
      await expect(grid(page).getByRole('row', { selected: true })).toHaveCount(2)
    })
    await clearList(page)
    await test.step('Enter right after Esc opens the device again, even with the focus in the panel', async () => {
      const [one = ''] = await shownDevices(page)
      await row(page, one).dblclick()
      await expectDevice(page, one)
      await openSection(page, 'Control')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Enter')
      await expectDevice(page, one)
      await expect(page).toHaveURL(new RegExp(`/devices/${one}$`))
    })
  })
  await backToDevices(page)
  await test.step('arrow and page keys scroll the screen of a device', async () => {
    await page.setViewportSize({ width: 1440, height: 500 })
    const [one = ''] = await shownDevices(page)
    await row(page, one).dblclick()
    await expectDevice(page, one)
    await expect(section(page, 'Recent commands')).toBeAttached()
    const top = () => main(page).evaluate(element => element.firstElementChild?.scrollTop)
    for (const [down, up] of [
      ['PageDown', 'PageUp'],
      ['ArrowDown', 'ArrowUp'],
      ['End', 'Home'],
    ] as const) {
      await page.keyboard.press(down)
      await expect.poll(top).toBeGreaterThan(0)
      await page.keyboard.press(up)
      await expect.poll(top).toBe(0)
    }
    await expect(messages(page)).not.toContainText('Open a list first')
  })
})

test('status, readings, commands with refusals, and notifications of a device appear live', async ({
  page,
  server,
}) => {
  test.slow()
  const admin = await callerFor(server.url, 'admin')
  const credential = await newCredential(admin)
  const { bssid } = credential
  const device = await connectDevice(server.mqttPort(), credential, ({ type }) =>
    type === 'flush' ? 'The tank is empty' : undefined,
  )
  await signIn(page, 'admin')
  await loaded(page)
  await focusDevice(page, bssid)
  await page.keyboard.press('Enter')
  await expectDevice(page, bssid)
  await expect(main(page).getByText('Waiting for water to be drawn.')).toBeVisible()
  await expect(section(page, 'Recent commands')).toContainText('No commands in the last 90 days')

  // A command that the device refuses, and one that it executes.
  await page.keyboard.press('f')
  const sent = section(page, 'Recent commands').getByRole('listitem')
  await expect(sent.first()).toContainText('RefusedFlushThe tank is empty')
  await openSection(page, 'Control')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/devices(\?|$)/)
  await page.keyboard.press('Enter')
  await expectDevice(page, bssid)
  await page.keyboard.press('s')
  await page.keyboard.press('i')
  await page.keyboard.type('60')
  await page.keyboard.press('Enter')
  await expect(sent.first()).toContainText('DoneIdle protection: 60 min')

  const at = new Date().toISOString()
  const reading = { feed: 3, permeate: 1, feed_flow: 1.2, permeate_flow: 0.4, feed_tds: 400, permeate_tds: 20 }
  await device.read({ at, ...reading, pressure: 4.2, temperature: 15.5 })
  await expect(main(page).getByRole('list', { name: 'Measurements' })).toContainText('4.20bar')
  // Statistics are reloaded every 15 s.
  const spark = main(page).getByRole('img', {
    name: /^Pressure in the last 24 hours: low 4\.20, high 4\.20, last 4\.20 bar$/,
  })
  await expect(spark).toBeVisible({ timeout: 30_000 })

  await device.state({ status: 4, valve_closed: true })
  await expect(main(page).getByText('Water was found where there should be none.')).toBeVisible()
  await expect(fact(page, 'Auto-flush', 'Valve')).toContainText('Closed')
  await expect(section(page, 'Notifications')).toContainText('Leak detected')
  await check(page, 'a device with all data')
  await device.leave()
})

test('text typed before a device is loaded is kept, its time zone is set in the panel, and an unknown id shows “Device not found”', async ({
  page,
  server,
}) => {
  test.slow()
  await test.step('text typed in the panel before the device is loaded is kept, and so is the focus', async () => {
    const { bssid } = await newCredential(await callerFor(server.url, 'admin'))
    const release = await holdRequests(page, `**/api/v3/devices/${encodeURIComponent(bssid)}?*`)
    await signInAt(page, 'vendor', `/devices/${bssid}`)
    const form = panel(page).getByRole('form', { name: /^Edit description/ })
    const field = form.getByRole('textbox', { name: 'Description' })
    const apply = panel(page).getByRole('button', { name: 'Apply to 1 device' })
    await tabTo(page, field)
    await page.keyboard.type('Behind the')
    await expect(apply).toHaveCount(0)
    release()
    await expect(apply).toBeVisible()
    await expect(field).toBeFocused()
    await page.keyboard.type(' stove')
    await expect(field).toHaveValue('Behind the stove')
  })
  await test.step('the time zone of a device is set in the panel, and an unknown device id shows “Device not found”', async () => {
    const { bssid } = await newCredential(await callerFor(server.url, 'admin'))
    await visit(page, `/devices/${bssid.toLowerCase().replaceAll(':', '')}`)
    await expect(page).toHaveURL(new RegExp(`/devices/${bssid}$`))
    // The panel has no Info, since the screen itself shows the information.
    await expect(panel(page).getByRole('tab')).toHaveText(['Settings', 'Control'])
    await expect(fact(page, 'Device', 'Time zone')).toContainText('The viewer’s time zone')
    const zone = panel(page)
      .getByRole('form', { name: /^Change time zone/ })
      .getByRole('combobox', { name: 'Time zone' })
    await tabTo(page, zone)
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('buenos')
    await page.keyboard.press('Enter')
    await submit(page)
    await expect(messages(page)).toContainText('Settings updated for 1 out of 1 devices')
    await expect(fact(page, 'Device', 'Time zone')).toContainText('Buenos_Aires')
    await expect(statusBar(page)).toContainText('back')

    await visit(page, '/devices/00:00:00:00:00:01')
    await expect(main(page).getByRole('alert')).toHaveText('Device not found')
    await main(page)
      .getByRole('button', { name: /^Back to list/ })
      .last()
      .click()
    await expect(page).toHaveURL(/\/devices(\?|$)/)
    await loaded(page)
  })
})

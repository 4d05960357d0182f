/** A screen's state is in its URL: Back undoes a change, a reload keeps it, and a link shows it to other people. */
import type { Page } from '@playwright/test'
import type { Device } from '../../../src/api/contract/devices.ts'
import { callerFor, newCredential, online } from '../support/api.ts'
import { openCharts, readingDevice } from '../support/charts.ts'
import { settled } from '../support/calendars.ts'
import {
  confirm,
  enterList,
  focusDevice,
  grid,
  loaded,
  messages,
  row,
  searchField,
  searchFor,
  shownDevices,
  statusBar,
} from '../support/devices.ts'
import { enterLogin, expect, signIn, test } from '../support/fixtures.ts'
import { columnValues, backToDevices } from '../support/lists.ts'
import { connectDevice } from '../support/wireDevice.ts'

const expectAddress = (page: Page, address: string) =>
  expect.poll(() => decodeURIComponent(new URL(page.url()).pathname + new URL(page.url()).search)).toBe(address)
/** Waits until the console keeps its state in the URL, which it does once the first rows are loaded. */
const ready = (page: Page) =>
  expect.poll(() => page.evaluate(() => 'addressOf' in ((window.history.state ?? {}) as object))).toBe(true)
/** Returns the ids of the first devices, which are all visible. How many are drawn below them changes while the console loads. */
const firstDevices = async (page: Page) => (await shownDevices(page)).slice(0, 20)
const expectPage = (page: Page, number: number) => expect(statusBar(page)).toContainText(`page ${number} of`)

test('Back undoes a page change, a sort and a search, and keeps the focus in the list; a search is kept on other screens and by links', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('Back undoes a page change, a sort and a search, and keeps the focus in the list', async () => {
    await ready(page)
    const first = await shownDevices(page)
    const entries = () => page.evaluate(() => window.history.length)
    const before = await entries()

    await page.keyboard.press('/')
    await expect(searchField(page)).toBeFocused()
    await page.keyboard.type('A4:1', { delay: 30 })
    await expectAddress(page, '/devices?search=A4:1')
    // One history entry, no matter how many letters are typed.
    expect(await entries()).toBe(before + 1)
    await enterList(page)
    const found = await shownDevices(page)
    expect(found).not.toEqual(first)

    await grid(page).getByRole('columnheader', { name: 'Description', exact: true }).click()
    await expectAddress(page, '/devices?search=A4:1&sort=description')
    await loaded(page)
    const sorted = await shownDevices(page)
    await grid(page).getByRole('row').nth(1).click()
    await page.keyboard.press(']')
    await expectPage(page, 2)
    await expectAddress(page, '/devices?search=A4:1&sort=description&page=2')
    await expect(grid(page).getByRole('row').nth(1)).toBeFocused()

    // Back neither moves the focus to the heading nor closes an open dialog.
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'All keys' })
    await expect(sheet).toBeVisible()
    await page.goBack()
    await expectAddress(page, '/devices?search=A4:1&sort=description')
    await expect(sheet).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expectPage(page, 1)
    expect(await shownDevices(page)).toEqual(sorted)
    await expect(grid(page).locator(':focus')).toHaveCount(1)

    await page.goBack()
    await expectAddress(page, '/devices?search=A4:1')
    await expect.poll(() => shownDevices(page)).toEqual(found)
    await page.goBack()
    await expectAddress(page, '/devices')
    await expect(searchField(page)).toHaveValue('')
    await expect.poll(() => shownDevices(page)).toEqual(first)
    await page.goForward()
    await expect(searchField(page)).toHaveValue('A4:1')
    await expect.poll(() => shownDevices(page)).toEqual(found)
    expect(await entries()).toBe(before + 3)
  })
  await backToDevices(page)
  await test.step('a search is kept after a visit to another screen, and when a link to a command is opened', async () => {
    await searchFor(page, '30:AE:A4:00:63:73', 1)
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await expectAddress(page, '/settings')
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await expectAddress(page, '/devices?search=30:AE:A4:00:63:73')
    await expect(searchField(page)).toHaveValue('30:AE:A4:00:63:73')
    // The arguments of a command may have the same names as the parameters of a search.
    await page.goto('/devices?cmd=list.goToPage&page=2&search=leak')
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
    await expectAddress(page, '/devices?search=30:AE:A4:00:63:73')
  })
})

test('a reload keeps the state in the URL, each tab has its own, and invalid parameters are ignored', async ({
  page,
  context,
}) => {
  await signIn(page, 'admin')
  const lists: string[] = []
  page.on('request', request => {
    if (request.isNavigationRequest()) lists.length = 0
    const { pathname, search } = new URL(request.url())
    if (pathname === '/api/v3/devices') lists.push(search)
  })
  await page.goto('/devices?limit=50&page=2&sort=bssid&direction=desc')
  await expectPage(page, 2)
  const shown = await firstDevices(page)
  // The page prefetches its next page when it is idle, which may be as late as while it is loaded again.
  await expect.poll(() => lists.join()).toContain('offset=100&')
  await page.reload()
  expect(await firstDevices(page)).toEqual(shown)
  // No other list is requested first.
  expect(lists[0]).toBe('?offset=50&limit=50&search=&column=bssid&operator=co&sort=bssid&direction=desc')

  const other = await context.newPage()
  await other.goto('/devices?search=30:AE')
  await expect(searchField(other)).toHaveValue('30:AE')
  await loaded(other)
  await ready(other)
  await page.reload()
  expect(await firstDevices(page)).toEqual(shown)
  await expectAddress(page, '/devices?sort=bssid&direction=desc&page=2&limit=50')

  const refused: number[] = []
  other.on('response', response => {
    if (response.status() >= 400) refused.push(response.status())
  })
  await other.goto('/devices?search=AE&column=password&operator=like&sort=nothing&page=0&limit=5000')
  await expectAddress(other, '/devices?search=AE')
  await loaded(other)
  expect((await shownDevices(other)).length).toBeGreaterThan(0)
  await other.goto('/charts?range=century&until=yesterday')
  await expectAddress(other, '/charts')
  await other.goto('/calendar?date=2026-02-30&view=decade')
  await settled(other)
  await expectAddress(other, '/calendar')
  // A page number that is too high leads to the last page, without a history entry of its own.
  await other.goto('/devices?search=AE&page=9999')
  await expect(grid(other).getByRole('row').nth(1)).toBeVisible()
  await expect.poll(() => other.url()).not.toContain('page=9999')
  await other.goBack()
  await expectAddress(other, '/calendar')
  expect(refused).toEqual([])
})

test('a link shows another person the same rows, in that person’s units', async ({ page, browser, server }) => {
  const vendor = await callerFor(server.url, 'vendor')
  const { data } = (await vendor.call('GET', '/api/v3/devices?limit=1')) as { data: Device[] }
  const company = data[0]!.vendor.company_name
  await signIn(page, 'admin')
  await loaded(page)
  await page.getByRole('combobox', { name: 'Search column' }).selectOption('Company')
  await page.getByRole('combobox', { name: 'Search operator' }).selectOption('equals')
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await page.keyboard.insertText(company)
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50')
  await grid(page).getByRole('columnheader', { name: 'Description', exact: true }).click()
  await expectAddress(
    page,
    `/devices?search=${company.replaceAll(' ', '+')}&column=company_name&operator=eq&sort=description&limit=50`,
  )
  const shown = await firstDevices(page)
  expect(shown).toHaveLength(20)

  const others = await browser.newContext({ baseURL: server.url })
  const other = await others.newPage()
  // A person who is not signed in sees the rows after signing in.
  await other.goto(page.url())
  await expect(other).toHaveURL(/\/login$/)
  await enterLogin(other, 'vendor')
  await expect(searchField(other)).toHaveValue(company)
  await expect.poll(() => firstDevices(other)).toEqual(shown)

  await other.evaluate(() => {
    const units = { volume: 'l', temperature: 'F', pressure: 'bar', concentration: 'ppm', flow: 'l/min' }
    localStorage.setItem('permeate:preferences', JSON.stringify({ units }))
  })
  await other.goto('/devices?search=60&column=temperature&operator=lt')
  await expectAddress(other, '/devices?search=60+°F&column=temperature&operator=lt')
  await page.goto(other.url())
  await expect(searchField(page)).toHaveValue('60 °F')
  const cold = await columnValues(page, 'Temp. (°C)')
  expect(cold.length).toBeGreaterThan(0)
  expect(cold.filter(value => Number(value) > 15.6)).toEqual([])
  await others.close()
})

test('Back and a reload work in the charts, the calendar, the notifications and the outcomes of a job', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('a reload keeps the filter of a job’s outcomes, and Back undoes it', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [connected, offline] = [await newCredential(admin), await newCredential(admin)]
    const device = await connectDevice(server.mqttPort(), connected)
    await online(admin, [connected.bssid])
    for (const { bssid } of [connected, offline]) {
      await focusDevice(page, bssid)
      await page.keyboard.press('x')
      await expect(row(page, bssid)).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Escape')
      await expect(searchField(page)).toHaveValue('')
      await loaded(page)
    }
    await page.keyboard.press('l')
    await confirm(page, 'Lock: 2 devices')
    await expect(messages(page)).toContainText('Locked 1 of 2 devices')
    await page.keyboard.press('g')
    await page.keyboard.press('j')
    await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeFocused()
    await ready(page)
    const outcomes = page.getByRole('grid', { name: 'Outcomes' }).getByRole('row')
    const filters = page.getByRole('group', { name: 'Outcomes shown' })
    await expect(outcomes).toHaveCount(2)
    await expect(page.getByRole('list', { name: 'Reasons' })).toContainText('Device is offline')
    await filters.getByRole('button', { name: /^Skipped/ }).click()
    await expect(outcomes).toHaveCount(1)
    await expect(page).toHaveURL(/\/jobs\?job=[\w-]+&filter=skipped$/)
    await page.reload()
    await expect(outcomes).toHaveCount(1)
    await page.goBack()
    await expect(outcomes).toHaveCount(2)
    await device.leave()
  })
  await backToDevices(page)
  await test.step('Back and a reload work in the charts, the calendar and the notifications', async () => {
    const { bssid, device } = await readingDevice(await callerFor(server.url, 'admin'), server.mqttPort())
    await openCharts(page, [bssid])
    await ready(page)
    const range = (name: string) => page.getByRole('radio', { name, exact: true })
    await page.keyboard.press('2')
    await expectAddress(page, '/charts?range=week')
    await page.keyboard.press('[')
    await expect(page).toHaveURL(/\/charts\?range=week&until=\d{4}-\d\d-\d\dT/)
    const earlier = page.url()
    await page.reload()
    await expect(page).toHaveURL(earlier)
    await expect(range('Week')).toBeChecked()
    await page.goBack()
    await expectAddress(page, '/charts?range=week')
    await page.goBack()
    await expectAddress(page, '/charts')
    await expect(range('Day')).toBeChecked()

    await page.goto('/calendar?view=week&date=2031-03-04')
    await settled(page)
    await expect(page.getByRole('status').filter({ hasText: 'Mar 3 – 9, 2031' })).toBeVisible()
    await ready(page)
    await page.keyboard.press('m')
    await expectAddress(page, '/calendar?view=month&date=2031-03-04')
    await page.goBack()
    await expectAddress(page, '/calendar?view=week&date=2031-03-04')
    await settled(page)

    await page.goto('/notifications?types=leak')
    await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeAttached()
    await ready(page)
    await page.keyboard.press('Escape')
    await expectAddress(page, '/notifications')
    await page.goBack()
    await expectAddress(page, '/notifications?types=leak')
    await page.keyboard.press('/')
    const types = page.getByRole('dialog', { name: 'Types of notifications' })
    await expect(types.getByRole('checkbox', { checked: true })).toHaveCount(1)
    await device.leave()
  })
})

/** The notifications screen: with the keyboard, with the mouse, and with a failing server. */
import type { Page } from '@playwright/test'
import { notificationDefinitions } from '../../../src/domain/notifications/definitions.ts'
import { notificationTypes } from '../../../src/domain/notifications/types.ts'
import { check } from '../support/axe.ts'
import { grid, loaded, messages } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { backToDevices } from '../support/lists.ts'
import {
  badge,
  feed,
  focused,
  listCalls,
  loadedOf,
  notes,
  openNotifications,
  password,
  newNotifyingVendor,
} from '../support/notifications.ts'

/** Hours west of UTC of a zone where it is about noon, so that no midnight falls into a test. */
const westwards = new Date().getUTCHours() - 12
test.use({ timezoneId: `Etc/GMT${westwards < 0 ? '' : '+'}${westwards}` })

const feedWater = notificationTypes.filter(type => notificationDefinitions[type].group === 'Feed water')
/** The name of the filter while it shows leaks and everything about feed water. */
const leaksAndFeedWater = new RegExp(`^${feedWater.length + 1} of ${notificationTypes.length} types`)

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('notifications are loaded, filtered and opened with the keyboard and with the mouse, close the valve of a leak, and axe finds nothing', async ({
  page,
  server,
}) => {
  test.slow()
  const { login, bssid, device, list, raise, raiseAllFaults } = await newNotifyingVendor(server)
  await raiseAllFaults(2)
  await raise('leak')
  await signIn(page, login, password)
  await loaded(page)
  await test.step('keys move through notifications, close the valve of a leak, load more, and open the device and its chart', async () => {
    await expect(badge(page)).toHaveAccessibleName(/2\d unseen notifications/)
    const calls = listCalls(page)
    await openNotifications(page)
    await expect(page.getByRole('heading', { level: 2, name: 'Today' })).toBeVisible()
    await expect(loadedOf(page)).toHaveText(/^12 of 2\d$/)
    expect(Object.fromEntries(calls[0]!)).toEqual({
      offset: '0',
      limit: '12',
      types: notificationTypes.join(','),
      collapse: 'true',
    })
    const all = await list()
    const leak = all.findIndex(({ type }) => type === 'leak')

    // Opening the screen marks all as seen; the new ones keep their mark until the person leaves.
    await expect(badge(page)).toHaveAccessibleName('Notifications')
    await expect(notes(page).first()).toContainText('Unseen')

    for (let at = 0; at <= leak; at++) await press(page, 'j')
    await expect(focused(page)).toHaveAttribute('data-id', all[leak]!._id)
    await expect(focused(page)).toContainText('Leak detected')
    await expect(focused(page)).toContainText(`${bssid} · Under the sink`)
    await press(page, 'a')
    const dialog = page.getByRole('alertdialog', { name: `Close the valve of ${bssid}?` })
    await expect(dialog.getByRole('button', { name: 'Close the valve of 1 device' })).toBeFocused()
    await press(page, 'Enter')
    await expect(messages(page)).toContainText('Settings updated for 1 out of 1 devices')
    expect(device.commands).toContainEqual({ type: 'valve', closed: true })

    // j on the last notification loads the next page.
    await press(page, 'End')
    await expect(focused(page)).toHaveAttribute('data-id', all[11]!._id)
    await press(page, 'j')
    await expect(focused(page)).toHaveAttribute('data-id', all[12]!._id)
    await expect.poll(() => calls.at(-1)?.get('offset')).toBe('12')
    // A refresh starts again with the first page.
    await press(page, 'Shift+R')
    await expect(loadedOf(page)).toHaveText(/^12 of 2\d$/)
    await expect.poll(() => calls.at(-1)?.get('offset')).toBe('0')
    await press(page, 'm')
    await expect(notes(page).first()).toHaveAttribute('aria-posinset', '1')
    await expect(loadedOf(page)).toHaveText(/^2\d of 2\d$|No more notifications\./)

    await press(page, 'Home', 'Enter')
    await expect(page).toHaveURL(new RegExp(`/devices/${bssid}$`))
    await page.goBack()
    await expect(notes(page).first()).toBeVisible()
    await expect(page.locator('article[tabindex="0"]')).toHaveAttribute('data-id', all[0]!._id)
    await press(page, 'c')
    await expect(page).toHaveURL(/\/charts(\?|$)/)
  })
  await backToDevices(page)
  await test.step('axe finds nothing on the notifications, on a wide and a narrow screen', async () => {
    await raise('pump_failure')
    await expect(badge(page)).toHaveAccessibleName(/[12] unseen/)
    await check(page, 'badge', 'nav', { whole: true })
    await openNotifications(page)
    await expect(notes(page).first()).toBeVisible()
    await page.keyboard.press('j')
    await expect(focused(page)).toBeVisible()
    await check(page, 'notifications')
    await page.keyboard.press('/')
    await expect(page.getByRole('dialog', { name: 'Types of notifications' })).toBeVisible()
    await check(page, 'types', '[role=dialog]')
    await page.getByRole('button', { name: 'None' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByText('No notification types selected.')).toBeVisible()
    await check(page, 'no types selected', 'main')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(notes(page).first()).toBeVisible()
    await check(page, 'narrow', 'html', { whole: true })
    // Nothing overflows horizontally.
    expect(await feed(page).evaluate(node => node.parentElement!.scrollWidth - node.parentElement!.clientWidth)).toBe(0)
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await backToDevices(page)
  await test.step('with the mouse, notifications are loaded, filtered by type and selected devices, and open the device and its chart', async () => {
    await badge(page).click()
    await page.keyboard.press('Shift+R')
    await expect(loadedOf(page)).toHaveText(/^12 of 2\d$/)
    const calls = listCalls(page)
    await page.getByRole('button', { name: /^Load 12 more/ }).click()
    await expect.poll(() => calls.at(-1)?.get('offset')).toBe('12')

    await page.getByRole('button', { name: /^All types/ }).click()
    const filter = page.getByRole('dialog', { name: 'Types of notifications' })
    await filter.getByRole('button', { name: 'None' }).click()
    await expect(page.getByText('No notification types selected.')).toBeVisible()
    await filter.getByRole('checkbox', { name: 'Leak detected' }).click()
    await expect.poll(() => calls.at(-1)?.get('types')).toBe('leak')
    await expect(notes(page)).toHaveCount(3)
    await filter.getByRole('checkbox', { name: 'Feed water', exact: true }).click()
    await expect(notes(page)).toHaveCount(5)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: leaksAndFeedWater })).toBeFocused()
    for (const note of await notes(page).all()) await expect(note).toContainText(/Leak detected|No feed water/)

    // A reload keeps the filter.
    await page.reload()
    await expect(notes(page)).toHaveCount(5)
    await page.getByRole('button', { name: /selected devices/i }).click()
    await expect(messages(page)).toContainText('No devices selected')
    await page.getByRole('link', { name: /^Devices/ }).click()
    await loaded(page)
    await grid(page)
      .getByRole('checkbox', { name: `Select ${bssid}` })
      .click()
    await badge(page).click()
    await page.getByRole('button', { name: /selected devices/i }).click()
    await expect(notes(page)).toHaveCount(5)
    await page.getByRole('button', { name: leaksAndFeedWater }).click()
    await filter.getByRole('button', { name: 'All' }).click()
    await page.keyboard.press('Escape')
    await expect(loadedOf(page)).toHaveText(/^12 of 2\d$/)

    const shown = (await list())[0]!
    const first = notes(page).first()
    await expect(first).toHaveAttribute('data-id', shown._id)
    await first.getByRole('link', { name: bssid }).click()
    await expect(page).toHaveURL(new RegExp(`/devices/${bssid}$`))
    await badge(page).click()
    await first.getByRole('button', { name: /chart/ }).click()
    await expect(page).toHaveURL(/\/charts(\?|$)/)
  })
  await device.leave()
})

test('a page of notifications that fails to load shows the error, and Retry requests the same page', async ({
  page,
  server,
}) => {
  const { login, device, raiseAllFaults, list } = await newNotifyingVendor(server)
  await raiseAllFaults(2)
  await signIn(page, login, password)
  await loaded(page)
  const down = { start: true, more: true }
  await intercept(page, /\/api\/v3\/notifications\?/, (route, request) => {
    const isStart = new URL(request.url()).searchParams.get('offset') === '0'
    return (isStart ? down.start : down.more)
      ? route.fulfill({ status: 503, json: { message: 'Not today' } })
      : route.fallback()
  })
  // Waits, because the list is reloaded when the stream opens.
  await expect(page.getByRole('status', { name: 'Changes appear as they happen' })).toHaveText('live')
  const calls = listCalls(page)
  await openNotifications(page)
  const main = page.getByRole('main')
  await expect(main.getByRole('alert')).toContainText('Not today')
  await expect(messages(page)).toContainText('Not today')
  down.start = false
  await main.getByRole('button', { name: /^Retry/ }).click()
  await expect(loadedOf(page)).toHaveText(/^12 of 2\d$/)

  await page.keyboard.press('m')
  await expect(main.getByRole('alert')).toContainText('Not today')
  await expect(loadedOf(page)).toHaveText(/^12 of 2\d$/)
  down.more = false
  await main.getByRole('button', { name: /^Retry/ }).click()
  await expect(loadedOf(page)).not.toHaveText(/^12 of/)
  await expect(main.getByRole('alert')).toBeHidden()
  const offsets = calls.map(query => query.get('offset')).filter(offset => offset !== '0')
  expect(offsets.slice(0, 2)).toEqual(['12', '12'])
  // Every notification appears exactly once.
  const all = await list()
  await page.keyboard.press('Home')
  for (const [at, { _id }] of all.entries()) {
    if (at > 0) await page.keyboard.press('j')
    await expect(focused(page)).toHaveAttribute('data-id', _id)
  }
  await device.leave()
})

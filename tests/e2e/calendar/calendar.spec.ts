/** The calendar: with the keyboard, with the mouse, for several people, and on a phone. */
import type { Page } from '@playwright/test'
import { callerFor, newDevices, newModel, newVendor, unique } from '../support/api.ts'
import { check } from '../support/axe.ts'
import {
  calendarShown,
  dayCell,
  drawnEvent,
  eventForm,
  field,
  goToDay,
  makeEvent,
  openCalendar,
  selectDevice,
  settled,
} from '../support/calendars.ts'
import { confirm, loaded, messages, panel } from '../support/devices.ts'
import { expect, signIn, test, visit } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { backToDevices } from '../support/lists.ts'

test.use({ timezoneId: 'Europe/Berlin' })

test('events are created, viewed and deleted with the keyboard and with the mouse, and axe finds nothing', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('with the keyboard alone, an event is created, viewed and deleted', async () => {
    const [device] = await newDevices(await callerFor(server.url, 'admin'), 1)
    const title = unique('Service')
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeFocused()
    await goToDay(page, '2031-03-04')
    await expect(page.getByRole('status').filter({ hasText: 'March 2031' })).toContainText('0 events')

    // Without a selection, the form explains that a device has to be selected.
    await page.keyboard.press('c')
    await expect(field(page, 'Title')).toBeFocused()
    await expect(panel(page)).toContainText('To create an event, first select at least one device.')
    await expect(eventForm(page).getByRole('button', { name: 'Create' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await selectDevice(page, device!)
    await expect(panel(page)).toContainText('1 device selected')
    await page.keyboard.press('c')
    await expect(field(page, 'Title')).toBeFocused()
    await expect(field(page, 'Start')).toHaveValue('2031-03-04T09:00')
    await expect(field(page, 'End')).toHaveValue('2031-03-04T10:00')

    // Errors appear at their field, and the typed values stay.
    await field(page, 'Description').focus()
    await page.keyboard.type('Two cartridges')
    await page.keyboard.press('Control+Enter')
    await expect(eventForm(page)).toContainText('Title is required')
    await expect(field(page, 'Title')).toBeFocused()
    await page.keyboard.insertText(title)
    await field(page, 'End').fill('2031-03-04T08:00')
    await page.keyboard.press('Control+Enter')
    await expect(eventForm(page)).toContainText('End must not be before the start')
    await expect(field(page, 'End')).toBeFocused()
    await field(page, 'End').fill('2031-03-04T11:30')
    await page.keyboard.press('Control+Enter')
    await expect(messages(page)).toContainText(`Created ${title}`)
    await expect(drawnEvent(page, title)).toHaveAccessibleName(`${title}, 09:00 – 11:30, 1 device`)

    // The first Esc leaves the form, the second returns to the day.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dayCell(page, 'Tuesday, March 4, 2031')).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await expect(dayCell(page, 'Monday, March 3, 2031')).toBeFocused()
    await page.keyboard.press('PageDown')
    await expect(dayCell(page, 'Thursday, April 3, 2031')).toBeFocused()
    await page.keyboard.press('PageUp')
    await page.keyboard.press('End')
    await expect(dayCell(page, 'Sunday, March 9, 2031')).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await expect(dayCell(page, 'Tuesday, March 4, 2031')).toBeFocused()

    await page.keyboard.press('Enter')
    await expect(panel(page).getByRole('heading', { name: title })).toBeFocused()
    await expect(panel(page)).toContainText('Tuesday, March 4, 2031, 09:00 – 11:30')
    await expect(panel(page)).toContainText('StartTue, Mar 4, 2031, 09:00')
    await expect(panel(page)).toContainText('EndTue, Mar 4, 2031, 11:30')
    await expect(panel(page)).toContainText('Two cartridges')
    await expect(panel(page).getByRole('link', { name: device! })).toHaveAttribute('href', `/devices/${device}`)
    await page.keyboard.press('Escape')
    await expect(drawnEvent(page, title)).toBeFocused()

    await page.keyboard.press('Delete')
    await confirm(page, `Delete ${title}?`)
    await expect(messages(page)).toContainText(`Deleted ${title}`)
    await expect(drawnEvent(page, title)).toHaveCount(0)
    await expect(dayCell(page, 'Tuesday, March 4, 2031')).toBeFocused()
  })
  await backToDevices(page)
  await visit(page, '/calendar?view=month')
  await calendarShown(page)
  await test.step('with the mouse, events are created and deleted, views change, and only events of selected devices are shown', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [device, other] = await newDevices(admin, 2)
    const [title, others] = [unique('Check'), unique('Other')]
    await makeEvent(admin, {
      title: others,
      start: '2031-05-06T08:00:00Z',
      end: '2031-05-06T09:00:00Z',
      devices: [other!],
    })
    await goToDay(page, '2031-05-06')
    await selectDevice(page, device!)

    await dayCell(page, 'Thursday, May 8, 2031').click({ position: { x: 40, y: 60 } })
    await expect(field(page, 'Start')).toHaveValue('2031-05-08T09:00')
    await field(page, 'Title').fill(title)
    await eventForm(page).getByRole('button', { name: 'Create' }).click()
    await expect(drawnEvent(page, title)).toBeVisible()
    await expect(drawnEvent(page, others)).toBeVisible()

    const toolbar = page.locator('main')
    await toolbar.getByRole('button', { name: /Selected.*devices/ }).click()
    await expect(drawnEvent(page, others)).toHaveCount(0)
    await expect(drawnEvent(page, title)).toBeVisible()

    await toolbar.getByRole('button', { name: /^Week/ }).click()
    await expect(page.getByRole('status').filter({ hasText: 'May 5 – 11, 2031' })).toBeVisible()
    const column = page.getByRole('group', { name: 'Friday, May 9, 2031' })
    // Each hour is 44 pixels high: a little after 14:30.
    await column.click({ position: { x: 40, y: 14.6 * 44 } })
    await expect(field(page, 'Start')).toHaveValue('2031-05-09T14:30')
    await expect(field(page, 'End')).toHaveValue('2031-05-09T15:30')
    await toolbar.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'May 12 – 18, 2031' })).toBeVisible()
    await toolbar.getByRole('button', { name: 'Previous' }).click()
    await toolbar.getByRole('button', { name: /^Day/ }).click()
    await toolbar.getByRole('button', { name: /^Agenda/ }).click()
    await drawnAgenda(page, title).click()
    await panel(page).getByRole('button', { name: 'Delete event' }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expect(drawnAgenda(page, title)).toHaveCount(0)
    await toolbar.getByRole('button', { name: /^Current/ }).click()
    await expect(page.getByRole('status').filter({ hasText: String(new Date().getFullYear()) })).toBeVisible()
  })
  await backToDevices(page)
  await visit(page, '/calendar?view=month')
  await calendarShown(page)
  await test.step('axe finds nothing on the calendar, its form and an event, in both themes', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [device] = await newDevices(admin, 1)
    const title = unique('Planned')
    const devices = [device!]
    await makeEvent(admin, { title, start: '2031-09-02T08:00:00Z', end: '2031-09-02T10:00:00Z', devices })
    await makeEvent(admin, {
      title: `${title}-long`,
      start: '2031-09-03T08:00:00Z',
      end: '2031-09-05T10:00:00Z',
      devices,
    })
    await goToDay(page, '2031-09-02')
    await selectDevice(page, device!)
    for (const [key, view] of [
      ['m', 'month'],
      // A day instead of a week, which would take axe seven times as long.
      ['d', 'day'],
      ['a', 'agenda'],
    ] as const) {
      await page.keyboard.press(key)
      await settled(page)
      await expect(page.locator('main').getByRole('button', { name: title }).first()).toBeVisible()
      await check(page, view, view === 'month' ? 'html' : 'main')
    }
    await page.keyboard.press('c')
    await expect(field(page, 'Title')).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect(eventForm(page).getByRole('alert')).toBeVisible()
    await check(page, 'form', 'aside')
    await page.keyboard.press('Escape')
    await drawnAgenda(page, `${title}-long`).first().click()
    await expect(panel(page).getByRole('heading', { name: `${title}-long` })).toBeVisible()
    await check(page, 'info', 'aside')
  })
})

const drawnAgenda = (page: Page, title: string) =>
  page.getByRole('group', { name: 'Agenda' }).getByRole('button', { name: title })

test('a vendor sees events by others about own devices as they are created, and “+N more” if they do not fit', async ({
  page,
  server,
}) => {
  test.slow()
  const admin = await callerFor(server.url, 'admin')
  const [mine] = await newDevices(admin, 1)
  const { login, id } = await newVendor(admin)
  const [theirs] = await newDevices(admin, 1, { vendor: login, model: await newModel(admin, [id]) })
  await openCalendar(page, 'vendor')
  await goToDay(page, '2031-07-15')
  const names = Array.from({ length: 9 }, (_, index) => `${unique('Visit')}-${index}`)
  for (const [index, title] of names.entries())
    await makeEvent(admin, {
      title,
      start: `2031-07-15T${String(6 + index).padStart(2, '0')}:00:00Z`,
      end: `2031-07-15T${String(7 + index).padStart(2, '0')}:00:00Z`,
      devices: [mine!],
    })
  const hidden = { start: '2031-07-15T08:00:00Z', end: '2031-07-15T09:00:00Z', devices: [theirs!] }
  await makeEvent(admin, { title: unique('Hidden'), ...hidden })
  const day = page.getByRole('gridcell', { name: 'Tuesday, July 15, 2031, 9 events' })
  await expect(day).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('Hidden')).toHaveCount(0)
  await day.getByRole('button', { name: /^\+\d more: show the day$/ }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Tuesday, July 15, 2031' })).toBeVisible()
  for (const title of names) await expect(drawnEvent(page, title)).toBeAttached()
})

test('on a phone, the calendar opens on the agenda, the month fits, and a failed load can be retried', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openCalendar(page, 'admin')
  const agenda = page.locator('main').getByRole('button', { name: /^Agenda/ })
  await expect(agenda).toHaveAttribute('aria-pressed', 'true')
  await page
    .locator('main')
    .getByRole('button', { name: /^Month/ })
    .click()
  const grid = page.getByRole('grid')
  await expect(grid).toBeVisible()
  const box = (await grid.boundingBox())!
  expect(box.width).toBeLessThanOrEqual(390)
  await grid
    .getByRole('gridcell')
    .nth(17)
    .click({ position: { x: 20, y: 12 } })
  await expect(field(page, 'Title')).toBeFocused()
  await page.getByRole('button', { name: 'Close the side panel' }).click()
  await expect(field(page, 'Title')).toBeHidden()

  // A failed load shows the error; Retry then shows the events.
  await intercept(page, '**/api/v3/events?*', route => route.fulfill({ status: 503, json: { message: 'Be patient' } }))
  await goToDay(page, '2032-02-03')
  await expect(page.getByRole('alert').filter({ hasText: 'Be patient' })).toBeVisible()
  await page.unroute('**/api/v3/events?*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Be patient' })).toBeHidden()
  await expect(page.getByRole('status').filter({ hasText: 'February 2032' })).toContainText('0 events')
})

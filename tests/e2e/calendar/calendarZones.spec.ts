/** The calendar shows the viewer's local time, also in weeks in which clocks change. */
import { callerFor, newDevices, unique } from '../support/api.ts'
import {
  drawnEvent,
  eventForm,
  field,
  goToDay,
  makeEvent,
  openCalendar,
  selectDevice,
  slot,
} from '../support/calendars.ts'
import { messages, panel } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ timezoneId: 'Europe/Berlin' })

test('events are shown and created in the viewer’s time zone, and are right where clocks are put forward and where they are put back', async ({
  page,
  server,
}) => {
  test.slow()
  const admin = await callerFor(server.url, 'admin')
  const [device] = await newDevices(admin, 1)
  const devices = [device!]
  const [spring, autumn] = [unique('Spring'), unique('Autumn')]
  // On March 30, 01:30 to 03:30 is one hour.
  await makeEvent(admin, { title: spring, start: '2031-03-30T00:30:00Z', end: '2031-03-30T01:30:00Z', devices })
  // Half an hour whose end has an earlier local time than its start.
  await makeEvent(admin, { title: autumn, start: '2031-10-26T00:45:00Z', end: '2031-10-26T01:15:00Z', devices })
  await openCalendar(page, 'admin', 'week')
  await goToDay(page, '2031-03-30')
  await selectDevice(page, device!)
  await expect(drawnEvent(page, spring)).toHaveAccessibleName(`${spring}, 01:30 – 03:30, 1 device`)
  const day = 'Sunday, March 30, 2031'
  await expect(slot(page, '02:30', day)).toHaveAccessibleName(/skipped: clocks are put forward/)

  // Arrow keys skip the missing hour.
  await slot(page, '03:30', day).focus()
  await page.keyboard.press('ArrowUp')
  await expect(slot(page, '03:00', day)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(slot(page, '01:30', day)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(field(page, 'Title')).toBeFocused()
  await expect(field(page, 'Start')).toHaveValue('2031-03-30T01:00')
  // One hour after 01:00 is 03:00.
  await expect(field(page, 'End')).toHaveValue('2031-03-30T03:00')

  // If a missing time is typed, the form shows the time used instead and creates the event at that time.
  const typed = unique('Typed')
  await field(page, 'Title').fill(typed)
  await field(page, 'Start').fill('2031-03-30T02:30')
  await expect(eventForm(page)).toContainText(
    '02:30 does not occur on this day, because clocks are put forward. 03:30 is used',
  )
  await field(page, 'End').fill('2031-03-30T04:00')
  await page.keyboard.press('Control+Enter')
  await expect(messages(page)).toContainText(`Created ${typed}`)
  await expect(drawnEvent(page, typed)).toHaveAccessibleName(`${typed}, 03:30 – 04:00, 1 device`)

  await page.keyboard.press('Escape')
  await goToDay(page, '2031-10-26')
  await expect(drawnEvent(page, autumn)).toHaveAccessibleName(`${autumn}, 02:45 (UTC+2) – 02:15 (UTC+1), 1 device`)
  await expect(slot(page, '02:00', 'Sunday, October 26, 2031')).toHaveAccessibleName(/occurs twice/)
  await drawnEvent(page, autumn).click()
  await expect(panel(page).getByRole('heading', { name: autumn })).toBeFocused()
  await expect(panel(page)).toContainText('02:45 (UTC+2)')
  // On the Monday after, 09:00 is 09:00.
  await goToDay(page, '2031-10-27')
  await slot(page, '09:00', 'Monday, October 27, 2031').focus()
  await page.keyboard.press('Enter')
  await expect(field(page, 'Start')).toHaveValue('2031-10-27T09:00')
  await page.keyboard.press('Escape')
  await test.step('an event is shown in the viewer’s time zone, and a new one is created in it', async () => {
    const [existing, created] = [unique('Given'), unique('Made')]
    await makeEvent(admin, {
      title: existing,
      start: '2031-03-20T15:00:00Z',
      end: '2031-03-20T18:00:00Z',
      devices: [device!],
    })
    await goToDay(page, '2031-03-20')
    await expect(drawnEvent(page, existing)).toHaveAccessibleName(`${existing}, 16:00 – 19:00, 1 device`)
    await slot(page, '23:00', 'Friday, March 21, 2031').focus()
    await page.keyboard.press('Enter')
    await expect(field(page, 'Start')).toHaveValue('2031-03-21T23:00')
    await expect(field(page, 'End')).toHaveValue('2031-03-22T00:00')
    await expect(field(page, 'Title')).toBeFocused()
    await page.keyboard.insertText(created)
    await page.keyboard.press('Control+Enter')
    // The event ends at the end of its day.
    await expect(drawnEvent(page, created)).toHaveAccessibleName(`${created}, 23:00 – 24:00, 1 device`)
    const listed = (await admin.call(
      'GET',
      '/api/v3/events?from=2031-03-21T22:00:00Z&to=2031-03-22T00:00:00Z',
    )) as readonly { title: string; start: string; end: string }[]
    expect(listed.find(event => event.title === created)).toMatchObject({
      start: '2031-03-21T22:00:00.000Z',
      end: '2031-03-21T23:00:00.000Z',
    })
  })
})

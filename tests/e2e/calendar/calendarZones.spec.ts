/** The calendar goes by the clock on the viewer's wall, also in the weeks in which clocks change. */
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
import { expect, signIn, test } from '../support/fixtures.ts'

test.describe('in Berlin', () => {
  test.use({ timezoneId: 'Europe/Berlin' })

  test('where clocks are put forward, and where they are put back', async ({ page, server }) => {
    test.slow()
    const admin = await callerFor(server.url, 'admin')
    const [device] = await newDevices(admin, 1)
    const devices = [device!]
    const [spring, autumn] = [unique('Spring'), unique('Autumn')]
    // Half past one to half past three is an hour on the thirtieth of March.
    await makeEvent(admin, { title: spring, start: '2031-03-30T00:30:00Z', end: '2031-03-30T01:30:00Z', devices })
    // Half an hour that ends, by the clock, before it begins.
    await makeEvent(admin, { title: autumn, start: '2031-10-26T00:45:00Z', end: '2031-10-26T01:15:00Z', devices })
    await signIn(page, 'admin')
    await openCalendar(page, 'week')
    await goToDay(page, '2031-03-30')
    await selectDevice(page, device!)
    await expect(drawnEvent(page, spring)).toHaveAccessibleName(`${spring}, 01:30 – 03:30, 1 device`)
    const day = 'Sunday, March 30, 2031'
    await expect(slot(page, '02:30', day)).toHaveAccessibleName(/skipped: clocks are put forward/)

    // Keys go over the hour that is not there.
    await slot(page, '03:30', day).focus()
    await page.keyboard.press('ArrowUp')
    await expect(slot(page, '03:00', day)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(slot(page, '01:30', day)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(field(page, 'Title')).toBeFocused()
    await expect(field(page, 'Start')).toHaveValue('2031-03-30T01:00')
    // An hour later clocks show three.
    await expect(field(page, 'End')).toHaveValue('2031-03-30T03:00')

    // Typed all the same, it says what is meant, and that is what is planned.
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
    // Monday after: nine is nine again.
    await goToDay(page, '2031-10-27')
    await slot(page, '09:00', 'Monday, October 27, 2031').focus()
    await page.keyboard.press('Enter')
    await expect(field(page, 'Start')).toHaveValue('2031-10-27T09:00')
  })
})

test.describe('in New York', () => {
  test.use({ timezoneId: 'America/New_York' })

  test('the same event is at another time, and a planned one is at the time of that clock', async ({
    page,
    server,
  }) => {
    const admin = await callerFor(server.url, 'admin')
    const [device] = await newDevices(admin, 1)
    const [given, made] = [unique('Given'), unique('Made')]
    // After New York's clocks were put forward and before Berlin's: an evening in Berlin that ends at midnight there.
    await makeEvent(admin, {
      title: given,
      start: '2031-03-20T20:00:00Z',
      end: '2031-03-20T23:00:00Z',
      devices: [device!],
    })
    await signIn(page, 'admin')
    await openCalendar(page, 'week')
    await goToDay(page, '2031-03-20')
    await selectDevice(page, device!)
    await expect(drawnEvent(page, given)).toHaveAccessibleName(`${given}, 16:00 – 19:00, 1 device`)
    await slot(page, '23:00', 'Friday, March 21, 2031').focus()
    await page.keyboard.press('Enter')
    await expect(field(page, 'Start')).toHaveValue('2031-03-21T23:00')
    await expect(field(page, 'End')).toHaveValue('2031-03-22T00:00')
    await page.keyboard.type(made)
    await page.keyboard.press('Control+Enter')
    // It ends with its day.
    await expect(drawnEvent(page, made)).toHaveAccessibleName(`${made}, 23:00 – 24:00, 1 device`)
    const listed = (await admin.call(
      'GET',
      '/api/v3/events?from=2031-03-22T00:00:00Z&to=2031-03-23T00:00:00Z',
    )) as readonly { title: string; start: string; end: string }[]
    expect(listed.find(event => event.title === made)).toMatchObject({
      start: '2031-03-22T03:00:00.000Z',
      end: '2031-03-22T04:00:00.000Z',
    })
  })
})

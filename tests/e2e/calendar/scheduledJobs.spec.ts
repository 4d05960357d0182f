/** Scheduled jobs in the calendar are moved to another time, with the mouse and by keys. */
import type { Locator, Page } from '@playwright/test'
import { callerFor, newDevices, type Caller } from '../support/api.ts'
import { calendarShown, settled } from '../support/calendars.ts'
import { messages } from '../support/devices.ts'
import { expect, signInAt, test, visit } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { closeMessages } from '../support/lists.ts'

/** Hours between UTC and a zone without daylight saving time in which it is noon now, so that the day has a past and a future. */
const offset = 12 - new Date().getUTCHours()
test.use({ timezoneId: `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}` })

const hour = 3_600_000
/** Returns the ISO time of an hour of the day, some days from today, in the zone of the browser. */
function timeAt(days: number, hours: number): string {
  const local = new Date(Date.now() + offset * hour).setUTCHours(0, 0, 0, 0)
  return new Date(local + (days * 24 + hours - offset) * hour).toISOString()
}
const dayOf = (time: string) => new Date(Date.parse(time) + offset * hour).toISOString().slice(0, 10)

async function schedule(admin: Caller, start: object | string): Promise<string> {
  const ids = await newDevices(admin, 1)
  const job = await admin.call('POST', '/api/v3/jobs', { command: 'reboot', ids, policy: { start } })
  return (job as { _id: string })._id
}
const startOf = async (admin: Caller, job: string) =>
  ((await admin.call('GET', `/api/v3/jobs/${job}`)) as { start_at: string }).start_at

const drawnJob = (page: Page, job: string) => page.locator(`.sx__event[data-event-id="job:${job}"]`)
const addressOf = (view: string, time: string) => `/calendar?view=${view}&date=${dayOf(time)}`
async function open(page: Page, view: string, time: string) {
  await visit(page, addressOf(view, time))
  const button = page.locator('main').getByRole('button', { name: new RegExp(`^${view}`, 'i') })
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  await calendarShown(page)
}
/** Signs in as an administrator at a view of the calendar. */
async function signInAtView(page: Page, view: string, time: string) {
  await signInAt(page, 'admin', addressOf(view, time))
  await settled(page)
}
const slotAt = (page: Page, time: string) => {
  const minutes = ((Date.parse(time) + offset * hour) % (24 * hour)) / 60_000
  return page.locator(`.time-slot[data-day="${dayOf(time)}"][data-minutes="${minutes}"]`)
}
const cellAt = (page: Page, time: string) => page.locator(`.sx__month-grid-day[data-date="${dayOf(time)}"]`)

/** Drags from the top of an element to the top of another one, which has the same height in a week and in a day. */
async function drag(page: Page, from: Locator, to: Locator, { release = true } = {}) {
  await from.scrollIntoViewIfNeeded()
  const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!]
  await page.mouse.move(start.x + start.width / 2, start.y + 4)
  await page.mouse.down()
  await page.mouse.move(end.x + end.width / 2, end.y + 4, { steps: 5 })
  if (release) await page.mouse.up()
}

test('a scheduled job is moved by keys and dragged in a week, a day and a month; a time that has passed, a failure and a rule leave it where it was', async ({
  page,
  server,
}) => {
  test.slow()
  await test.step('a scheduled job is dragged to another time in a week, a day and a month', async () => {
    const admin = await callerFor(server.url, 'admin')
    const job = await schedule(admin, timeAt(8, 10))
    await signInAtView(page, 'day', timeAt(8, 10))

    await test.step('in a day, to quarters of an hour, without opening it', async () => {
      await drag(page, drawnJob(page, job), slotAt(page, timeAt(8, 12.5)), { release: false })
      await expect(page.getByRole('status').filter({ hasText: 'put back' })).toContainText('12:30')
      await page.mouse.up()
      await expect(messages(page)).toContainText('“Reboot” starts')
      expect(await startOf(admin, job)).toBe(timeAt(8, 12.5))
      await expect(drawnJob(page, job)).toBeFocused()
      await expect(page).toHaveURL(/\/calendar/)
    })

    await test.step('Esc puts it back', async () => {
      await drag(page, drawnJob(page, job), slotAt(page, timeAt(8, 9)), { release: false })
      await expect(drawnJob(page, job)).toHaveAccessibleName(/09:00/)
      await page.keyboard.press('Escape')
      await expect(drawnJob(page, job)).toHaveAccessibleName(/12:30/)
      await page.mouse.up()
      expect(await startOf(admin, job)).toBe(timeAt(8, 12.5))
    })

    await test.step('in a week, to another day', async () => {
      await open(page, 'week', timeAt(8, 12.5))
      // Monday is a day away, or Tuesday.
      const isMonday = new Date(`${dayOf(timeAt(8, 0))}T00:00Z`).getUTCDay() === 1
      const days = isMonday ? 9 : 7
      await drag(page, drawnJob(page, job), slotAt(page, timeAt(days, 12.5)))
      await expect.poll(() => startOf(admin, job)).toBe(timeAt(days, 12.5))
      await drag(page, drawnJob(page, job), slotAt(page, timeAt(8, 11)))
      await expect.poll(() => startOf(admin, job)).toBe(timeAt(8, 11))
    })

    await test.step('in a month, where it keeps its time', async () => {
      await admin.call('POST', `/api/v3/jobs/${job}/reschedule`, { start: timeAt(8, 11.1) })
      await open(page, 'month', timeAt(8, 11.1))
      await expect(drawnJob(page, job)).toHaveAccessibleName(/11:06/)
      const isFirst = dayOf(timeAt(8, 0)).endsWith('-01')
      const days = isFirst ? 9 : 7
      await drag(page, drawnJob(page, job), cellAt(page, timeAt(days, 0)))
      await expect.poll(() => startOf(admin, job)).toBe(timeAt(days, 11.1))
      await expect(cellAt(page, timeAt(days, 0)).locator(drawnJob(page, job))).toBeVisible()
    })

    await test.step('a click still opens it', async () => {
      await expect(page.locator('[data-moved]')).toHaveCount(0)
      await drawnJob(page, job).click()
      await expect(page).toHaveURL(new RegExp(`/jobs\\?job=${job}`))
    })
    await admin.call('POST', `/api/v3/jobs/${job}/cancel`)
  })
  await closeMessages(page)
  await test.step('a scheduled job is moved by keys, also into the next week', async () => {
    const admin = await callerFor(server.url, 'admin')
    const job = await schedule(admin, timeAt(8, 10))
    await open(page, 'week', timeAt(8, 10))
    await drawnJob(page, job).focus()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowUp', 'Shift+ArrowRight')
    await expect(drawnJob(page, job)).toHaveAccessibleName(/10:30/)
    await press('Escape')
    await expect(drawnJob(page, job)).toHaveAccessibleName(/10:00/)
    await expect(drawnJob(page, job)).toBeFocused()
    expect(await startOf(admin, job)).toBe(timeAt(8, 10))

    for (let days = 0; days < 7; days++) await press('Shift+ArrowRight')
    await press('Shift+ArrowUp')
    await expect(drawnJob(page, job)).toBeFocused()
    await press('Enter')
    await expect(messages(page)).toContainText('“Reboot” starts')
    expect(await startOf(admin, job)).toBe(timeAt(15, 9.5))
    await expect(drawnJob(page, job)).toBeFocused()

    // The move is undone and redone like the latest command.
    await press('z')
    await expect(messages(page)).toContainText(/“Reboot” starts [^“]*10:00/)
    expect(await startOf(admin, job)).toBe(timeAt(8, 10))
    await press('Shift+Z')
    await expect.poll(() => startOf(admin, job)).toBe(timeAt(15, 9.5))
    await expect(drawnJob(page, job)).toBeVisible()

    await press('m')
    await drawnJob(page, job).focus()
    await press('Shift+ArrowDown', 'Enter')
    await expect.poll(() => startOf(admin, job)).toBe(timeAt(22, 9.5))
    await admin.call('POST', `/api/v3/jobs/${job}/cancel`)
  })
  await closeMessages(page)
  await test.step('a time that has passed, a failure and a repeated job leave it where it was', async () => {
    const admin = await callerFor(server.url, 'admin')
    const job = await schedule(admin, timeAt(0, 20))
    const repeated = await schedule(admin, {
      rrule: 'FREQ=DAILY;COUNT=3',
      from: timeAt(1, 10),
      time_zone: 'UTC',
    })
    await open(page, 'day', timeAt(0, 20))
    await drag(page, drawnJob(page, job), slotAt(page, timeAt(0, 14)), { release: false })
    const note = page.getByRole('status').filter({ hasText: 'put back' })
    await expect(note).not.toContainText('which has passed')
    const past = (await slotAt(page, timeAt(0, 9)).boundingBox())!
    await page.mouse.move(past.x + 20, past.y + 4)
    await expect(note).toContainText('which has passed')
    await page.mouse.up()
    await expect(messages(page)).toContainText('09:00 has passed. “Reboot” keeps its time')
    await expect(drawnJob(page, job)).toHaveAccessibleName(/20:00/)
    expect(await startOf(admin, job)).toBe(timeAt(0, 20))

    await intercept(page, '**/reschedule', route =>
      route.fulfill({
        status: 409,
        json: { statusCode: 409, message: 'The job is running and cannot be rescheduled' },
      }),
    )
    await drag(page, drawnJob(page, job), slotAt(page, timeAt(0, 18)))
    await expect(messages(page)).toContainText('cannot be rescheduled')
    await expect(drawnJob(page, job)).toHaveAccessibleName(/20:00/)
    await page.unroute('**/reschedule')

    await open(page, 'day', timeAt(1, 10))
    await drag(page, drawnJob(page, repeated), slotAt(page, timeAt(1, 8)))
    await expect(drawnJob(page, repeated)).toHaveAccessibleName(/10:00/)
    await drawnJob(page, repeated).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await expect(messages(page)).toContainText('A repeating job follows its rule')
    expect(await startOf(admin, repeated)).toBe(timeAt(1, 10))
    for (const id of [job, repeated]) await admin.call('POST', `/api/v3/jobs/${id}/cancel`)
  })
})

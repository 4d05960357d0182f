/** The calendar with 500 events in a month: turning the months, whose events are read ahead, and moving in one. */
import type { Browser } from '@playwright/test'
import { events } from '../../src/api/contract/events.ts'
import { quietWire, signedIn, timeEach, times } from './browser.ts'
import { figure, progress, tell, type Figure } from './figures.ts'
import type { Session } from './session.ts'

const perMonth = 500
/** Two months side by side in which nothing else is planned. */
const months = ['2041-01', '2041-02']

/** Fills both months up; what a former run has left stays. */
async function plan(url: string, session: Session): Promise<void> {
  const headers = { 'access-token': session.accessToken, 'content-type': 'application/json' }
  const read = async <T>(path: string): Promise<T> =>
    ((await (await fetch(url + path, { headers })).json()) as { data: T }).data
  const { data: devices } = await read<{ data: { bssid: string }[] }>('/api/v3/devices?limit=20')
  for (const month of months) {
    const there = await read<unknown[]>(`${events.list.path}?from=${month}-01T00:00:00Z&to=${month}-28T00:00:00Z`)
    for (const index of times(perMonth - there.length, number => number)) {
      const start = Date.parse(`${month}-01T00:00:00Z`) + (index % 27) * 86_400_000 + (7 + (index % 10)) * 3_600_000
      const answer = await fetch(url + events.create.path, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          title: `Visit ${index}`,
          description: '',
          start: new Date(start).toISOString(),
          end: new Date(start + (1 + (index % 3)) * 3_600_000).toISOString(),
          devices: [devices[index % devices.length]!.bssid],
        }),
      })
      if (!answer.ok) throw new Error(`Planning an event answered ${answer.status}: ${await answer.text()}`)
    }
  }
}

export async function measureCalendar(browser: Browser, url: string, session: Session): Promise<Figure[]> {
  progress('A calendar of 500 events a month …')
  await plan(url, session)
  const context = await signedIn(browser, url, session)
  const page = await context.newPage()
  await page.goto(`${url}/calendar`)
  await page.locator('[role=grid] [role=gridcell]').first().waitFor()
  await quietWire(page)
  await page.keyboard.press('Shift+G')
  await page.getByRole('dialog').getByRole('combobox').fill(`${months[0]}-15`)
  await page.keyboard.press('Enter')
  await page.locator('[role=gridcell][data-date="2041-01-15"] [data-event-id]').first().waitFor()
  await quietWire(page)
  const turned = await timeEach(
    page,
    'calendarMonth',
    times(20, index => () => page.keyboard.press(index % 2 === 0 ? ']' : '[')),
    { pause: 500 },
  )
  await page.locator('[role=gridcell][tabindex="0"]').focus()
  const moved = await timeEach(
    page,
    'calendarDay',
    times(20, index => () => page.keyboard.press(index % 2 === 0 ? 'ArrowRight' : 'ArrowLeft')),
  )
  await context.close()
  return [
    figure('calendar, 500 events in a month: key to the next month', 'ms', turned, { p95: 200 }),
    figure('calendar, 500 events in a month: key to the next day', 'ms', moved, { p95: 50 }),
  ].map(tell)
}

/** The calendar with 500 events in a month: changing the month, whose events are prefetched, and moving within it. */
import { events } from '../../../src/api/contract/events.ts'
import { networkIdle, openContext, timeEach, repeat } from '../browser.ts'
import { figure, progress, report } from '../figures.ts'
import type { Bench } from '../bench.ts'
import type { Session } from '../session.ts'

const perMonth = 500
/** Two adjacent months without other events. */
const months = ['2041-01', '2041-02']

/** Adds events to both months up to `perMonth`; those of an earlier run are kept. */
async function createEvents(url: string, session: Session): Promise<void> {
  const headers = { 'access-token': session.accessToken, 'content-type': 'application/json' }
  const read = async <T>(path: string): Promise<T> =>
    ((await (await fetch(url + path, { headers })).json()) as { data: T }).data
  const { data: devices } = await read<{ data: { bssid: string }[] }>('/api/v3/devices?limit=20')
  for (const month of months) {
    const existing = await read<unknown[]>(`${events.list.path}?from=${month}-01T00:00:00Z&to=${month}-28T00:00:00Z`)
    for (const index of repeat(perMonth - existing.length, number => number)) {
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
      if (!answer.ok) throw new Error(`Creating an event returned ${answer.status}: ${await answer.text()}`)
    }
  }
}

export async function measureCalendar(bench: Bench): Promise<void> {
  progress('A calendar of 500 events a month …')
  const { url, admin: session } = await bench.largeServer()
  await createEvents(url, session)
  const context = await openContext(await bench.browser(), url, session)
  const page = await context.newPage()
  await page.goto(`${url}/calendar`)
  await page.locator('[role=grid] [role=gridcell]').first().waitFor()
  await networkIdle(page)
  await page.keyboard.press('Shift+G')
  await page.getByRole('dialog').getByRole('combobox').fill(`${months[0]}-15`)
  await page.keyboard.press('Enter')
  await page.locator('[role=gridcell][data-date="2041-01-15"] [data-event-id]').first().waitFor()
  await networkIdle(page)
  const turned = await timeEach(
    page,
    'calendarMonth',
    repeat(60, index => () => page.keyboard.press(index % 2 === 0 ? ']' : '[')),
    { pause: 500 },
  )
  await page.locator('[role=gridcell][tabindex="0"]').focus()
  const moved = await timeEach(
    page,
    'calendarDay',
    repeat(60, index => () => page.keyboard.press(index % 2 === 0 ? 'ArrowRight' : 'ArrowLeft')),
  )
  await context.close()
  report(
    figure('calendar, 500 events in a month: key to the next month', 'ms', turned, { p95: 200 }),
    figure('calendar, 500 events in a month: key to the next day', 'ms', moved, { p95: 50 }),
  )
}

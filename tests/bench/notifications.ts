/** The notifications screen with about a hundred thousand of them: opening it, loading more, and moving to the next. */
import type { Browser } from '@playwright/test'
import { networkIdle, openContext, timeEach, repeat } from './browser.ts'
import { figure, progress, report, type Figure } from './figures.ts'
import type { Session } from './session.ts'

const runs = 9

export async function measureNotifications(browser: Browser, url: string, session: Session): Promise<Figure[]> {
  progress('The notifications …')
  const opened: number[] = []
  for (const run of repeat(runs + 1, index => index)) {
    const context = await openContext(browser, url, session)
    const page = await context.newPage()
    await page.goto(`${url}/notifications`, { waitUntil: 'commit' })
    const first = await page.evaluate(() => window.bench.firstRow())
    // The server's first responses are slower and not measured.
    if (run > 0) opened.push(first)
    await context.close()
  }

  const context = await openContext(browser, url, session)
  const page = await context.newPage()
  await page.goto(`${url}/notifications`)
  await page.locator('[role=feed] > article').first().waitFor()
  await networkIdle(page)
  const more = await timeEach(
    page,
    'notesLoaded',
    repeat(40, () => () => page.keyboard.press('m')),
  )
  await page.keyboard.press('Home')
  await page.locator('article:focus').waitFor()
  const moved = await timeEach(
    page,
    'focusedNote',
    repeat(60, () => () => page.keyboard.press('j')),
    { pause: 40 },
  )
  await context.close()
  return [
    figure('notifications: navigation to the first ones painted, nothing cached', 'ms', opened, { median: 350 }),
    figure('notifications: key to twelve more painted', 'ms', more, { p95: 100 }),
    figure('notifications: key to the next one, 492 loaded', 'ms', moved, { p95: 50 }),
  ].map(report)
}

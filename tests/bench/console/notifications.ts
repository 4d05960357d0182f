/** The notifications screen with about a hundred thousand of them: opening it, loading more, and moving to the next. */
import { networkIdle, openContext, timeEach, repeat } from '../browser.ts'
import { figure, progress, report } from '../figures.ts'
import type { Bench } from '../bench.ts'

const runs = 9

export async function measureNotifications(bench: Bench): Promise<void> {
  progress('The notifications …')
  const { url, admin: session } = await bench.largeServer()
  const browser = await bench.browser()
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
    repeat(60, () => () => page.keyboard.press('m')),
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
  report(
    figure('notifications: navigation to the first ones painted, nothing cached', 'ms', opened, { median: 350 }),
    figure('notifications: key to twelve more painted', 'ms', more, { p95: 100 }),
    figure('notifications: key to the next one, 732 loaded', 'ms', moved, { p95: 50 }),
  )
}

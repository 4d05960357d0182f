/** Pages of 20 devices: turning, sorting and searching them, which the server answers. */
import type { Page } from '@playwright/test'
import type { Bench } from '../bench.ts'
import { repeat, timeEach } from '../browser.ts'
import { figure, progress, report } from '../figures.ts'
import { startConsole, withDevices } from './subjects.ts'

const pageTurn = { median: 40, p95: 60 }
const sort = { median: 40, p95: 70 }
/** Columns visible without scrolling beside the open panel, whose sorting changes the first rows. */
const sortable = ['Model', 'Company', 'Recovery']
/** Letters typed one after another, each with fewer matches. */
const searches = ['1', 'a', '2', 'b']

async function sortByKeys(page: Page): Promise<number[]> {
  const samples: number[] = []
  const field = (name: string) => page.getByRole('dialog').getByRole('combobox', { name })
  const columns = ['Temperature', 'Company', 'Model', 'Feed TDS', 'Last active', 'Recovery']
  for (const column of repeat(5, () => columns).flat())
    for (const direction of ['Descending', 'Ascending']) {
      await page.keyboard.press('Shift+S')
      await field('Column').fill(column)
      await page.waitForTimeout(60)
      await page.keyboard.press('Enter')
      await field('Direction').fill(direction)
      await page.waitForTimeout(60)
      samples.push(...(await timeEach(page, 'pageOfRows', [() => page.keyboard.press('Enter')], { pause: 250 })))
    }
  return samples
}

async function search(page: Page): Promise<number[]> {
  const samples: number[] = []
  for (let round = 0; round < 15; round++) {
    await page.keyboard.press('/')
    const typed = searches.map(letter => () => page.keyboard.press(letter))
    samples.push(...(await timeEach(page, 'foundRows', typed, { pause: 200 })))
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.waitForTimeout(400)
  }
  return samples
}

async function measure(page: Page): Promise<void> {
  const turn = (count: number, key: string, pause: number) =>
    timeEach(
      page,
      'pageOfRows',
      repeat(count, () => () => page.keyboard.press(key)),
      { pause },
    )
  const ahead = await turn(30, ']', 400)
  // These pages have not been prefetched.
  const hasty = await turn(60, ']', 0)
  const back = await turn(30, '[', 400)
  report(
    figure('page turn, two a second: key to rows', 'ms', [...ahead, ...back], pageTurn),
    figure('page turn, faster than pages are prefetched: key to rows', 'ms', hasty, pageTurn),
  )
  const next = page.getByRole('button', { name: /^Next page/ })
  const clicks = repeat(60, () => () => next.click())
  const turned = await timeEach(page, 'pageOfRows', clicks, { event: 'click', pause: 400 })
  report(figure('page turn by a click, two a second: click to rows', 'ms', turned, pageTurn))
  const headers = sortable.flatMap(name =>
    repeat(20, () => () => page.getByRole('columnheader', { name }).getByRole('button').click()),
  )
  const sorted = await timeEach(page, 'pageOfRows', headers, { event: 'click', pause: 250 })
  report(figure('sort by a header: click to rows', 'ms', sorted, sort))
  report(figure('sort by keys: last key to rows', 'ms', await sortByKeys(page), sort))
  report(figure('search: key to rows', 'ms', await search(page), null))
}

/** Measures pages of 20 rows of 100,000. */
export async function measurePages(bench: Bench): Promise<void> {
  progress('Pages of 20 rows …')
  const subject = await startConsole(bench)
  const browser = await bench.browser()
  await withDevices(browser, subject, 20, measure)
}

/** The devices table: holding and pressing keys, sorting, searching and scrolling. */
import type { Page } from '@playwright/test'
import { figure, progress, report, type Figure } from './figures.ts'
import { timeEach, repeat } from './browser.ts'

/** Milliseconds between frames at 60 Hz. */
const frame = 1000 / 60
export const slowFrame = 20

/** Runs `action` `count` times at a steady rate, without waiting for the previous one. */
export async function steadily(count: number, perSecond: number, action: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  const running: Promise<unknown>[] = []
  for (let index = 0; index < count; index++) {
    const wait = started + (index * 1000) / perSecond - performance.now()
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    running.push(action())
  }
  await Promise.all(running)
}

/** Returns the percentage of intervals longer than `limit` milliseconds. */
export const share = (intervals: readonly number[], limit: number) =>
  (intervals.filter(interval => interval > limit).length / Math.max(1, intervals.length)) * 100

/** Returns the percentage of slow frames on an idle page, which limits the other figures. */
export async function idleFrames(page: Page): Promise<number> {
  await page.evaluate(() => window.bench.watchFrames())
  await page.waitForTimeout(3000)
  return share(await page.evaluate(() => window.bench.frames()), slowFrame)
}

async function holdKey(page: Page): Promise<Figure[]> {
  const rounds: number[][] = []
  const dropped: number[] = []
  for (let round = 0; round < 3; round++) {
    await page.keyboard.press('Home')
    await page.waitForTimeout(500)
    await page.evaluate(() => {
      window.bench.time('focusedRow')
      window.bench.watchFrames()
    })
    await steadily(150, 30, () => page.keyboard.down('j'))
    const intervals = await page.evaluate(() => window.bench.frames())
    await page.keyboard.up('j')
    await page.evaluate(() => window.bench.settled(2000))
    rounds.push(await page.evaluate(() => window.bench.taken()))
    dropped.push(intervals.filter(interval => interval > 1.5 * frame).length)
  }
  return [
    figure('j held at 30 a second on 1,000 rows: key to paint', 'ms', rounds.flat(), { median: 16, p95: 24 }),
    figure('j held: frames dropped in five seconds', 'frames', dropped, { median: 0 }),
  ]
}

/** Scrolls fast with the wheel, down and up. */
async function wheel(page: Page): Promise<Figure> {
  await page.keyboard.press('Home')
  const box = await page.locator('[role=grid]').boundingBox()
  if (!box) throw new Error('There is no table')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.waitForTimeout(500)
  const shares: number[] = []
  for (const direction of [1, -1, 1, -1]) {
    await page.evaluate(() => window.bench.watchFrames())
    await steadily(240, 60, () => page.mouse.wheel(0, direction * 120))
    shares.push(share(await page.evaluate(() => window.bench.frames()), slowFrame))
    await page.waitForTimeout(300)
  }
  return figure('wheel over 1,000 rows: frames over 20 ms', '%', shares, { median: 1 })
}

/** Measures a page of 1,000 rows. */
export async function measureLongPage(page: Page): Promise<Figure[]> {
  progress('A page of 1,000 rows …')
  const held = await holdKey(page)
  await page.keyboard.press('Home')
  const toggled = await timeEach(
    page,
    'selectedRow',
    repeat(60, () => () => page.keyboard.press('x')),
  )
  const toggles = figure('x on 1,000 rows: key to paint', 'ms', toggled, { p95: 20 })
  return [...held, toggles, await wheel(page)].map(report)
}

const pageTurn = { p95: 60 }
const sort = { p95: 80 }
/** Columns visible without scrolling beside the open panel, whose sorting changes the first rows. */
const sortable = ['Model', 'Company', 'Recovery']
/** Letters typed one after another, each with fewer matches. */
const searches = ['a', '4', ':', '7']

async function sortByKeys(page: Page): Promise<number[]> {
  const samples: number[] = []
  const field = (name: string) => page.getByRole('dialog').getByRole('combobox', { name })
  for (const column of ['Temperature', 'Company', 'Model', 'Feed TDS', 'Last active', 'Temperature', 'Pressure'])
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
  for (let round = 0; round < 8; round++) {
    await page.keyboard.press('/')
    const typed = searches.map(letter => () => page.keyboard.press(letter))
    samples.push(...(await timeEach(page, 'foundRows', typed, { pause: 200 })))
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.waitForTimeout(400)
  }
  return samples
}

/** Measures pages of 20 rows. */
export async function measureShortPages(page: Page): Promise<Figure[]> {
  progress('Pages of 20 rows …')
  const turn = (count: number, key: string, pause: number) =>
    timeEach(
      page,
      'pageOfRows',
      repeat(count, () => () => page.keyboard.press(key)),
      { pause },
    )
  const ahead = await turn(20, ']', 400)
  // These pages have not been prefetched.
  const hasty = await turn(40, ']', 0)
  const back = await turn(20, '[', 400)
  const clicks = sortable.flatMap(name =>
    repeat(8, () => () => page.getByRole('columnheader', { name }).getByRole('button').click()),
  )
  const clicked = await timeEach(page, 'pageOfRows', clicks, { event: 'click', pause: 250 })
  return [
    figure('page turn, two a second: key to rows', 'ms', [...ahead, ...back], pageTurn),
    figure('page turn, faster than pages are prefetched: key to rows', 'ms', hasty, pageTurn),
    figure('sort by a header: click to rows', 'ms', clicked, sort),
    figure('sort by keys: last key to rows', 'ms', await sortByKeys(page), sort),
    figure('search: key to rows', 'ms', await search(page), null),
  ].map(report)
}

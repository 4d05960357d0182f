/** Twenty devices' year in eight charts: from the data to what is painted, and frames under a moving hand. */
import type { Page } from '@playwright/test'
import { bucketsOf } from '../../src/domain/buckets.ts'
import type { Point, Range } from '../../src/api/contract/statistics.ts'
import type * as z from 'zod/mini'
import { timeEach, times } from './browser.ts'
import { figure, progress, tell, type Figure } from './figures.ts'
import { share, slowFrame, steadily } from './table.ts'

const devices = 20

/** Some days nothing was read; on the others what there is lies about where a device of its own kind has it. */
function pointsOf(serial: number, range: Range): { from: string; to: string; points: z.input<typeof Point>[] } {
  const { edges } = bucketsOf(range, Date.now(), 'UTC')
  const iso = (instant: number) => new Date(instant).toISOString()
  const wave = (place: number, about: number) => about * (1 + 0.1 * Math.sin(place / 9 + serial) + serial / 40)
  const points = edges.slice(0, -1).map((at, place) => {
    const read = (about: number) =>
      (place * 7 + serial * 13) % 41 === 0 ? null : wave(place * (1 + (serial % 3)), about)
    return {
      at: iso(at),
      feed: read(60),
      permeate: read(25),
      waste: read(35),
      production_rate: read(0.8),
      recovery_rate: read(40),
      instant_recovery_rate: read(42),
      rejection_rate: read(60),
      feed_tds: read(400),
      permeate_tds: read(20),
      pressure: read(4),
      temperature: read(15),
    }
  })
  return { from: iso(edges[0]!), to: iso(edges.at(-1)!), points }
}

/** Answers with a year for each: the bench's fleet has read nothing. */
async function answerWithReadings(page: Page): Promise<void> {
  await page.route(/\/api\/v3\/devices\/[^/?]+\?range=/, async route => {
    const url = new URL(route.request().url())
    const range = url.searchParams.get('range') as Range
    const answer = await route.fetch()
    const { data } = (await answer.json()) as { data: { bssid: string; statistics: object } }
    const serial = Number.parseInt(data.bssid.slice(-2), 16) % devices
    const statistics = { ...data.statistics, ...pointsOf(serial, range) }
    await route.fulfill({ json: { data: { ...data, statistics } } })
  })
}

/** Frames over 20 ms, %, while the hand goes over a chart. */
async function underTheHand(page: Page): Promise<number> {
  const box = (await page.getByRole('application').nth(2).boundingBox())!
  const steps = 240
  await page.evaluate(() => window.bench.watchFrames())
  let step = 0
  await steadily(steps, 60, () => {
    step++
    return page.mouse.move(box.x + 60 + ((box.width - 80) * step) / steps, box.y + box.height / 2)
  })
  return share(await page.evaluate(() => window.bench.frames()), slowFrame)
}

export async function measureCharts(page: Page): Promise<Figure[]> {
  progress('The charts …')
  await answerWithReadings(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  const painted = () =>
    page.waitForFunction(() => {
      const all = [...document.querySelectorAll<HTMLElement>('[role=application] canvas:first-child')]
      return all.length === 8 && all.every(canvas => canvas.dataset.painted)
    })
  // The data of both is at hand from then on.
  for (const key of ['3', '4']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(1500)
    await painted()
  }
  const year: number[] = []
  for (const _ of times(8, index => index)) {
    await timeEach(page, 'charts', [() => page.keyboard.press('3')], { pause: 700 })
    year.push(...(await timeEach(page, 'charts', [() => page.keyboard.press('4')], { pause: 700 })))
  }
  const hand: number[] = []
  for (const _ of times(4, index => index)) hand.push(await underTheHand(page))
  const zooms = times(10, index => () => page.keyboard.press(index % 2 === 0 ? '+' : '0'))
  const zoomed = await timeEach(page, 'charts', zooms, { pause: 500 })
  return [
    figure('charts of 20 devices × year: key to all eight painted', 'ms', year, { p95: 300 }),
    figure('the same, moving the cursor over them: frames over 20 ms', '%', hand, { median: 2 }),
    figure('the same, zooming in and out: key to all eight painted', 'ms', zoomed, { p95: 300 }),
  ].map(tell)
}

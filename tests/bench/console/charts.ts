/** A year of twenty devices in eight charts: time to paint, and frames while the cursor moves. */
import type { Page } from '@playwright/test'
import { newestBuckets } from '../../../src/domain/buckets.ts'
import type { Point, Range } from '../../../src/api/contract/statistics.ts'
import type * as z from 'zod/mini'
import { inTurn, openContext, openDevices, timeEach, repeat } from '../browser.ts'
import { figure, frameShare, progress, report } from '../figures.ts'
import { slowFrame, steadily } from '../frames.ts'
import type { Bench } from '../bench.ts'

const devices = 20

/** Generates points: none on some days, and typical values on the others. */
function pointsOf(serial: number, range: Range): { from: string; to: string; points: z.input<typeof Point>[] } {
  const { edges } = newestBuckets(range, Date.now(), 'UTC')
  const iso = (instant: number) => new Date(instant).toISOString()
  const wave = (place: number, typical: number) => typical * (1 + 0.1 * Math.sin(place / 9 + serial) + serial / 40)
  const points = edges.slice(0, -1).map((at, place) => {
    const read = (typical: number) =>
      (place * 7 + serial * 13) % 41 === 0 ? null : wave(place * (1 + (serial % 3)), typical)
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

/** Adds generated statistics to each response, because the bench's fleet has no readings. */
async function mockStatistics(page: Page): Promise<void> {
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

/** Returns the frames while the mouse moves across a chart. */
async function framesWhileMoving(page: Page): Promise<number[]> {
  const box = (await page.getByRole('application').nth(2).boundingBox())!
  const steps = 240
  await page.evaluate(() => window.bench.watchFrames())
  let step = 0
  await steadily(steps, 60, () => {
    step++
    return page.mouse.move(box.x + 60 + ((box.width - 80) * step) / steps, box.y + box.height / 2)
  })
  return page.evaluate(() => window.bench.frames())
}

export async function measureCharts(bench: Bench): Promise<void> {
  progress('The charts …')
  const { url, admin } = await bench.largeServer()
  const page = await openDevices(await openContext(await bench.browser(), url, admin, { limit: devices }), url)
  await mockStatistics(page)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  const painted = () =>
    page.waitForFunction(() => {
      const all = [...document.querySelectorAll<HTMLElement>('[role=application] canvas:first-child')]
      return all.length === 8 && all.every(canvas => canvas.dataset.painted)
    })
  // Both ranges are cached from now on.
  for (const key of ['3', '4']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(1500)
    await painted()
  }
  const year: number[] = []
  for (const _ of repeat(60, index => index)) {
    await timeEach(page, 'charts', [() => page.keyboard.press('3')], { pause: 700 })
    year.push(...(await timeEach(page, 'charts', [() => page.keyboard.press('4')], { pause: 700 })))
  }
  const moving = await inTurn(4, () => framesWhileMoving(page))
  const zooms = repeat(60, index => () => page.keyboard.press(index % 2 === 0 ? '+' : '0'))
  const zoomed = await timeEach(page, 'charts', zooms, { pause: 500 })
  report(
    figure('charts of 20 devices × year: key to all eight painted', 'ms', year, { p95: 300 }),
    frameShare('the same, moving the cursor over them: frames over 20 ms', moving, slowFrame, { median: 2 }),
    figure('the same, zooming in and out: key to all eight painted', 'ms', zoomed, { p95: 300 }),
  )
}

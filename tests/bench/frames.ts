/** Actions at a steady rate, and the frames meanwhile. */
import type { Browser, Page } from '@playwright/test'
import { openContext } from './browser.ts'
import { quantile } from './figures.ts'

/** Frames that took longer than this, in milliseconds, missed the next one at 60 Hz. */
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

/** Returns the milliseconds between the frames of a page in the given time, while nothing is done. */
export async function framesWhileIdle(page: Page, milliseconds: number): Promise<number[]> {
  await page.evaluate(() => window.bench.watchFrames())
  await page.waitForTimeout(milliseconds)
  return page.evaluate(() => window.bench.frames())
}

/** How steady the machine is: percent of slow frames of an empty page, and the milliseconds of a fixed piece of work. */
export interface Steadiness {
  readonly slowFrames: number
  readonly fixedWork: number
}

/** Runs of different steadiness cannot be compared. */
export async function measureSteadiness(browser: Browser): Promise<Steadiness> {
  const context = await openContext(browser, 'about:blank', undefined)
  const page = await context.newPage()
  await page.goto('about:blank')
  const frames = await framesWhileIdle(page, 3000)
  const work = await page.evaluate(() =>
    Array.from({ length: 12 }, () => {
      const started = performance.now()
      let value = 0
      for (let index = 0; index < 2e7; index++) value = (value * 31 + index) | 0
      // The value is used, so that the loop is not left out.
      return value === 0.5 ? NaN : performance.now() - started
    }),
  )
  await context.close()
  const slow = frames.filter(interval => interval > slowFrame).length
  return { slowFrames: Math.round((slow / frames.length) * 1000) / 10, fixedWork: Math.round(quantile(work, 0.5)) }
}

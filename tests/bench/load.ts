/** From the navigation to the first row with an empty cache: time and JavaScript transferred. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { dist } from '../../scripts/build.ts'
import { networkIdle, openContext, repeat } from './browser.ts'
import { figure, progress, report, type Figure } from './figures.ts'
import type { Session } from './session.ts'

const runs = 9

const gzipKilobytes = (paths: readonly string[]) =>
  paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(dist, path)), { level: 9 }).length, 0) / 1000

interface Load {
  readonly firstRow: number
  /** The kB of gzip requested before the first row, and loaded in all once the page was idle. */
  readonly beforeFirstRow: number
  readonly total: number
}

async function load(browser: Browser, url: string, session: Session): Promise<Load> {
  const context = await openContext(browser, url, session)
  const page = await context.newPage()
  await page.goto(`${url}/devices`, { waitUntil: 'commit' })
  const firstRow = await page.evaluate(() => window.bench.firstRow())
  await networkIdle(page)
  await page.waitForTimeout(2500)
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name, startTime }) => ({ path: new URL(name).pathname, startTime }))
      .filter(({ path }) => path.endsWith('.js')),
  )
  await context.close()
  const early = scripts.filter(({ startTime }) => startTime < firstRow)
  return {
    firstRow,
    beforeFirstRow: gzipKilobytes(early.map(({ path }) => path)),
    total: gzipKilobytes(scripts.map(({ path }) => path)),
  }
}

export async function measureLoad(browser: Browser, url: string, session: Session): Promise<Figure[]> {
  progress('From the address to the first row …')
  // The server's first responses are slower and not measured.
  await load(browser, url, session)
  const loads: Load[] = []
  for (const _ of repeat(runs, index => index)) loads.push(await load(browser, url, session))
  const of = (what: keyof Load) => loads.map(one => one[what])
  return [
    figure('navigation to the first row painted, nothing cached', 'ms', of('firstRow'), { median: 250 }),
    figure('JavaScript requested before the first row', 'kB gzip', of('beforeFirstRow'), { median: 170 }),
    figure('JavaScript loaded by the devices screen in all, when idle', 'kB gzip', of('total'), null),
  ].map(report)
}

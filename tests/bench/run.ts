/** `npm run bench`: measures the console and its server with a large fleet, as JSON with budgets. */
import { cpus, loadavg } from 'node:os'
import type { Browser, Page } from '@playwright/test'
import { isBuilt, buildIfNeeded } from '../../scripts/build.ts'
import { freePort } from '../support/ports.ts'
import { startServer } from '../support/programs.ts'
import { measureBulk } from './bulk.ts'
import { measureCalendar } from './calendar.ts'
import { measureCharts } from './charts.ts'
import { launch, openDevices, openContext } from './browser.ts'
import { progress, type Figure } from './figures.ts'
import { benchFleet } from './fleet.ts'
import { measureLists } from './listCalls.ts'
import { measureLive } from './live.ts'
import { measureLoad } from './load.ts'
import { measureNotifications } from './notifications.ts'
import { measurePalette } from './palette.ts'
import { signIn, type Session } from './session.ts'
import { idleFrames, measureLongPage, measureShortPages } from './table.ts'

const fleet = 100_000

/** The parts to run, by name on the command line; by default all. */
const parts = process.argv.slice(2)
const wants = (part: string) => parts.length === 0 || parts.includes(part)
/** The parts with their own fleet of simulated devices. */
const withDevices = ['bulk']
const onLargeFleet = parts.length === 0 || parts.some(part => !withDevices.includes(part))

async function inPage<T>(
  browser: Browser,
  url: string,
  session: Session,
  limit: number,
  measure: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await openContext(browser, url, session, { limit })
  try {
    return await measure(await openDevices(context, url))
  } finally {
    await context.close()
  }
}

async function measure(url: string, browser: Browser) {
  const admin = await signIn(url, 'admin')
  const vendor = await signIn(url, 'vendor')
  const figures: Figure[] = []
  if (wants('lists')) figures.push(...(await measureLists(url, [admin, vendor])))
  if (wants('load')) figures.push(...(await measureLoad(browser, url, admin)))
  const idle = await inPage(browser, url, admin, 20, idleFrames)
  if (wants('long')) figures.push(...(await inPage(browser, url, admin, 1000, measureLongPage)))
  if (wants('live')) {
    const measure = (page: Page) => measureLive(page, url, vendor)
    figures.push(...(await inPage(browser, url, vendor, 1000, measure)))
  }
  if (wants('short')) figures.push(...(await inPage(browser, url, admin, 20, measureShortPages)))
  if (wants('palette')) figures.push(...(await inPage(browser, url, admin, 20, measurePalette)))
  if (wants('charts')) figures.push(...(await inPage(browser, url, admin, 20, measureCharts)))
  if (wants('calendar')) figures.push(...(await measureCalendar(browser, url, admin)))
  if (wants('notifications')) figures.push(...(await measureNotifications(browser, url, admin)))
  return { figures, idle }
}

async function measureLarge(browser: Browser) {
  const server = await startServer(await benchFleet(fleet), await freePort(), { devices: 0 })
  try {
    return await measure(server.url, browser)
  } finally {
    await server.stop()
  }
}

// The build logs to stdout, which is for the figures.
if (!isBuilt()) progress('Building the console …')
console.log = (...text: unknown[]) => progress(text.join(' '))
buildIfNeeded()
const loadBefore = loadavg()
const browser = await launch()
try {
  const large = onLargeFleet ? await measureLarge(browser) : undefined
  const figures = [...(large?.figures ?? []), ...(wants('bulk') ? await measureBulk(browser) : [])]
  const [cpu] = cpus()
  const machine = {
    cores: cpus().length,
    cpu: cpu?.model ?? 'unknown',
    node: process.version,
    chromium: browser.version(),
    loadBefore,
    loadAfter: loadavg(),
    /** Percent of frames over 20 ms on an idle page, which is the machine's own share of the figures. */
    idleSlowFrames: large?.idle,
  }
  process.stdout.write(`${JSON.stringify({ fleet, machine, figures }, null, 2)}\n`)
} finally {
  await browser.close()
}

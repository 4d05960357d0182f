/** The charts of a year of twenty devices from the real server, which keeps five years of a hundred devices. */
import type { Browser } from '@playwright/test'
import { addressOf, openPostgres } from '../../server/db/postgres.ts'
import { startPostgres } from '../support/postgres.ts'
import type { Bench } from './bench.ts'
import { inTurn, openContext, openDevices, timeEach } from './browser.ts'
import { figure, progress, report } from './figures.ts'
import { startRealServer } from './realServer.ts'
import { signIn, type Session } from './session.ts'
import { fillYears, readYear } from './yearReadings.ts'

const devices = 100
const shown = 20
const rounds = 60
/** Pages that are opened to paint charts, each once. */
const pages = 9
/** Zones whose days are computed for the first time. */
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Perth', 'Africa/Lagos', 'America/Lima']
const halfHours = ['Asia/Calcutta', 'Australia/Adelaide']

/** Opens the charts of twenty devices in a new context, and returns the milliseconds from the key for a year to all painted. */
async function paintYear(browser: Browser, url: string, session: Session): Promise<number[]> {
  const context = await openContext(browser, url, session, { limit: shown })
  try {
    const page = await openDevices(context, url)
    await page.keyboard.press('Control+a')
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.waitForFunction(() => document.querySelectorAll('[role=application] canvas[data-painted]').length >= 8)
    await page.keyboard.press('1')
    await page.waitForTimeout(2000)
    return await timeEach(page, 'charts', [() => page.keyboard.press('4')])
  } finally {
    await context.close()
  }
}

export async function measureYear(bench: Bench): Promise<void> {
  const postgres = await startPostgres({ durable: true })
  bench.after(() => postgres.stop())
  const server = await startRealServer(postgres.url, devices)
  bench.after(() => server.remove())
  const database = await openPostgres(addressOf(postgres.url))
  bench.after(() => database.close())
  progress(`Filling five years of ${devices} devices …`)
  const all = await fillYears(database.db, devices)
  const session = await signIn(server.url, 'admin')
  /** Reads the charts of other devices in each turn. */
  const charts = (turn: number, zone: string) => {
    const first = (turn * shown) % devices
    return readYear(server.url, session.accessToken, all.slice(first, first + shown), zone)
  }
  // The server's first responses are slower and not measured.
  for (let warm = 0; warm < 5; warm++) await charts(warm, 'UTC')
  const first = await inTurn(zones.length, async index => [await charts(index, zones[index]!)])
  const firstHalf = await inTurn(halfHours.length, async index => [await charts(index, halfHours[index]!)])
  const title = `year charts of ${shown} devices over HTTP`
  report(
    figure(`${title}, in a zone for the first time`, 'ms', first, null),
    figure(`${title}, in a zone of half hours for the first time`, 'ms', firstHalf, null),
  )
  const again = await inTurn(rounds, async index => [await charts(index, zones[index % zones.length]!)])
  report(figure(title, 'ms', again, { p95: 50 }))
  const browser = await bench.browser()
  const painted = await inTurn(pages, () => paintYear(browser, server.url, session))
  report(figure(`year charts of ${shown} devices from the server: key to all painted`, 'ms', painted, { median: 300 }))
}

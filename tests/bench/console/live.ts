/** The devices table while the live stream changes devices: frames, and time from key to paint. */
import { setInterval as every } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { devices, type Device } from '../../../src/api/contract/devices.ts'
import type { Endpoint, List } from '../../../src/api/contract/endpoint.ts'
import { models } from '../../../src/api/contract/models.ts'
import { figure, frameShare, progress, report, type Figure } from '../figures.ts'
import type { Session } from '../session.ts'
import { framesWhileIdle, slowFrame, steadily } from '../frames.ts'
import { focusFirstRow, openContext, openDevices } from '../browser.ts'
import type { Bench } from '../bench.ts'

/** The rows on the page, the rows that change in a second, and the calls for that. */
const rows = 1000
const changes = 200
const calls = 4
const seconds = 15
const smooth = { median: 1 }

async function ask(url: string, session: Session, endpoint: Endpoint, query: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${url}${endpoint.path}?${query}`, {
    method: endpoint.method,
    headers: { 'access-token': session.accessToken, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${endpoint.method} ${endpoint.path} answered ${answer.status}`)
  return ((await answer.json()) as { data: unknown }).data
}

/** Assigns two models alternately to devices of the page, from another session, until the returned function is called. */
async function keepChanging(url: string, session: Session): Promise<() => Promise<void>> {
  const list = (await ask(url, session, devices.list, `limit=${rows}`)) as List<Device>
  const offered = (await ask(url, session, models.list, 'limit=2')) as List<{ _id: string }>
  if (offered.data.length < 2) throw new Error('Two models are needed')
  const stop = new AbortController()
  const change = async () => {
    let at = 0
    for await (const _ of every(1000 / calls, undefined, { signal: stop.signal })) {
      const ids = Array.from({ length: changes / calls }, (__, of) => list.data[(at + of) % rows]!.bssid)
      at += ids.length
      const turn = Math.floor(at / rows) % 2
      await ask(url, session, devices.setModel, '', { ids, model: offered.data[turn]!._id })
    }
  }
  const changing = change().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  return async () => {
    stop.abort()
    await changing
  }
}

/** Counts changes of rendered cells, to verify that the rows change. */
const watchCells = (page: Page) =>
  page.evaluate(() => {
    const seen = { cells: 0 }
    new MutationObserver(all => (seen.cells += all.length)).observe(document.querySelector('[role=rowgroup]')!, {
      characterData: true,
      subtree: true,
    })
    Object.assign(window, { seen })
  })
const changedCells = (page: Page) => page.evaluate(() => (window as unknown as { seen: { cells: number } }).seen.cells)

async function idleWhileChanging(page: Page): Promise<Figure> {
  const frames = await framesWhileIdle(page, seconds * 1000)
  return frameShare(`${rows} rows, ${changes} changes a second: frames over ${slowFrame} ms`, frames, slowFrame, smooth)
}

async function holdKeyWhileChanging(page: Page): Promise<Figure[]> {
  const frames: number[] = []
  const samples: number[] = []
  for (let round = 0; round < 3; round++) {
    await focusFirstRow(page)
    await page.waitForTimeout(500)
    await page.evaluate(() => {
      window.bench.time('focusedRow')
      window.bench.watchFrames()
    })
    await steadily(150, 30, () => page.keyboard.down('j'))
    frames.push(...(await page.evaluate(() => window.bench.frames())))
    await page.keyboard.up('j')
    await page.evaluate(() => window.bench.settled(2000))
    samples.push(...(await page.evaluate(() => window.bench.taken())))
  }
  return [
    frameShare(`the same with j held: frames over ${slowFrame} ms`, frames, slowFrame, smooth),
    figure('the same with j held: key to paint', 'ms', samples, { median: 16, p95: 24 }),
  ]
}

/** Measures a page of 1,000 rows of the session's own devices. */
async function measure(page: Page, url: string, session: Session): Promise<void> {
  await page.getByRole('banner').getByText('live').waitFor()
  await watchCells(page)
  const stop = await keepChanging(url, session)
  try {
    await page.waitForTimeout(3000)
    const figures = [await idleWhileChanging(page), ...(await holdKeyWhileChanging(page))]
    if ((await changedCells(page)) === 0) throw new Error('No row on screen has changed')
    report(...figures)
  } finally {
    await stop()
  }
}

/** Measures a page of 1,000 rows, which a vendor sees, while another session changes them. */
export async function measureLive(bench: Bench): Promise<void> {
  progress('A page of 1,000 rows while devices change …')
  const { url, vendor } = await bench.largeServer()
  const context = await openContext(await bench.browser(), url, vendor, { limit: rows })
  await measure(await openDevices(context, url), url, vendor)
}

/** From the address to the first row, with nothing cached and on a second visit, beside the bare table. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext } from '@playwright/test'
import type { Bench } from '../bench.ts'
import { inTurn, networkIdle } from '../browser.ts'
import { figure, progress, report, type Budget } from '../figures.ts'
import { contextOf, repetitions, startBoth, type Subject } from './subjects.ts'

/** Visits in a repetition; all together are enough for a p95. */
const visits = 20
/** Milliseconds without a request after which a visit has loaded all. */
const silence = 3000
/** The rows of a page as it is by default. */
const rows = 20

const gzipKilobytes = (folder: string, paths: readonly string[]) =>
  paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path)), { level: 9 }).length, 0) / 1000

/** Milliseconds from the navigation. */
interface Visit {
  readonly firstRow: number
  readonly firstPaint: number
}

async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage()
  await page.goto(`${url}/devices`, { waitUntil: 'commit' })
  const firstRow = await page.evaluate(() => window.bench.firstRow())
  const firstPaint = await page.evaluate(() => window.bench.firstPaint())
  await page.close()
  return { firstRow, firstPaint }
}

/** Visits with an empty cache. */
async function visitCold(browser: Browser, subject: Subject): Promise<Visit> {
  const context = await contextOf(browser, subject, rows)
  try {
    return await visit(context, subject.url)
  } finally {
    await context.close()
  }
}

/** What one visit loads; kB after gzip. */
interface Loaded {
  readonly requests: number
  readonly scriptsBeforeFirstRow: number
  readonly scripts: number
}

/** Visits with an empty cache until no request has begun for `silence`. */
async function loadAll(browser: Browser, subject: Subject): Promise<Loaded> {
  const context = await contextOf(browser, subject, rows)
  let requests = 0
  context.on('request', request => {
    if (/^https?:/.test(request.url())) requests++
  })
  try {
    const page = await context.newPage()
    await page.goto(`${subject.url}/devices`, { waitUntil: 'commit' })
    const firstRow = await page.evaluate(() => window.bench.firstRow())
    for (let before = -1; before !== requests; await page.waitForTimeout(silence)) before = requests
    const loaded = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name, startTime }) => ({ path: new URL(name).pathname, startTime }))
        .filter(({ path }) => path.endsWith('.js')),
    )
    const kilobytes = (scripts: typeof loaded) =>
      gzipKilobytes(
        subject.dist,
        scripts.map(({ path }) => path),
      )
    return {
      requests,
      scriptsBeforeFirstRow: kilobytes(loaded.filter(({ startTime }) => startTime < firstRow)),
      scripts: kilobytes(loaded),
    }
  } finally {
    await context.close()
  }
}

/** The aims of the console; the floor has none. */
const aims = {
  firstRow: { median: 350, p95: 450 },
  firstPaint: { median: 200 },
  requests: { max: 25 },
  scripts: { max: 130 },
  again: { median: 200 },
} as const
const aimOf = ({ name }: Subject, aim: Budget): Budget | null => (name === 'console' ? aim : null)

function reportVisits(
  kind: string,
  measured: ReadonlyMap<Subject, readonly Visit[]>,
  aim: { readonly firstRow: Budget; readonly firstPaint?: Budget },
): void {
  for (const [subject, all] of measured) {
    const of = (name: string, what: keyof Visit) =>
      figure(
        `${subject.name}, ${kind}: ${name}`,
        'ms',
        all.map(one => one[what]),
        aim[what] ? aimOf(subject, aim[what]) : null,
      )
    report(of('address to first row', 'firstRow'), of('first contentful paint', 'firstPaint'))
  }
}

/** Measures visits with nothing cached. */
export async function measureCold(bench: Bench): Promise<void> {
  progress('From the address to the first row, nothing cached …')
  const subjects = await startBoth(bench)
  const browser = await bench.browser()
  for (const subject of subjects) {
    // The server's first responses are slower and not measured.
    await visitCold(browser, subject)
    const loaded = await inTurn(repetitions, async () => [await loadAll(browser, subject)])
    const of = (what: keyof Loaded) => loaded.map(one => one[what])
    report(
      figure(
        `${subject.name}, nothing cached: requests until idle`,
        'requests',
        of('requests'),
        aimOf(subject, aims.requests),
      ),
      figure(
        `${subject.name}: JavaScript requested before the first row`,
        'kB gzip',
        of('scriptsBeforeFirstRow'),
        aimOf(subject, aims.scripts),
      ),
      figure(`${subject.name}: JavaScript of the devices screen in all, when idle`, 'kB gzip', of('scripts'), null),
    )
  }
  const measured = new Map(subjects.map(subject => [subject, [] as Visit[]]))
  await inTurn(repetitions * visits, async () => {
    for (const [subject, all] of measured) all.push(await visitCold(browser, subject))
    return []
  })
  reportVisits('nothing cached', measured, { firstRow: aims.firstRow, firstPaint: aims.firstPaint })
}

/** Measures visits after one that has loaded all, in the same browser context. */
export async function measureWarm(bench: Bench): Promise<void> {
  progress('From the address to the first row, on a second visit …')
  const subjects = await startBoth(bench)
  const browser = await bench.browser()
  const measured = new Map(subjects.map(subject => [subject, [] as Visit[]]))
  await inTurn(repetitions, async () => {
    for (const [subject, all] of measured) {
      const context = await contextOf(browser, subject, rows)
      const page = await context.newPage()
      await page.goto(`${subject.url}/devices`)
      await page.evaluate(() => window.bench.firstRow())
      await networkIdle(page)
      await page.waitForTimeout(2500)
      await page.close()
      all.push(...(await inTurn(visits, async () => [await visit(context, subject.url)])))
      await context.close()
    }
    return []
  })
  reportVisits('second visit', measured, { firstRow: aims.again })
}

/** A page of 1,000 devices beside the bare table: holding a key, toggling rows, selecting the page, and the wheel. */
import type { Locator, Page } from '@playwright/test'
import type { Bench } from '../bench.ts'
import { focusFirstRow, inTurn, repeat, timeEach } from '../browser.ts'
import { figure, frameShare, progress, report, type Budget } from '../figures.ts'
import { slowFrame, steadily } from '../frames.ts'
import { repetitions, startBoth, withDevices, type Subject } from './subjects.ts'

const rows = 1000
/** Actions of each kind in a repetition. */
const actions = 20
const held = 200

/** What was measured of one subject, in milliseconds. */
interface Samples {
  readonly held: number[]
  readonly heldFrames: number[]
  readonly clicked: number[]
  readonly toggledByKey: number[]
  readonly selected: number[]
  readonly wheel: number[]
  readonly briskWheel: number[]
}

const noSamples = (): Samples => ({
  held: [],
  heldFrames: [],
  clicked: [],
  toggledByKey: [],
  selected: [],
  wheel: [],
  briskWheel: [],
})

/** Clicks where a control is, without Playwright's own waiting, which would run in the page meanwhile. */
async function clickOf(control: Locator): Promise<() => Promise<void>> {
  const box = await control.boundingBox()
  if (!box) throw new Error(`Not visible: ${control.toString()}`)
  const { mouse } = control.page()
  await mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  return async () => {
    await mouse.down()
    await mouse.up()
  }
}

async function holdKey(page: Page, samples: Samples): Promise<void> {
  await focusFirstRow(page)
  await page.waitForTimeout(500)
  await page.evaluate(() => {
    window.bench.time('focusedRow')
    window.bench.watchFrames()
  })
  await steadily(held, 30, () => page.keyboard.down('j'))
  samples.heldFrames.push(...(await page.evaluate(() => window.bench.frames())))
  await page.keyboard.up('j')
  await page.evaluate(() => window.bench.settled(2000))
  samples.held.push(...(await page.evaluate(() => window.bench.taken())))
  await focusFirstRow(page)
  await page.waitForTimeout(300)
}

/** Returns the frames while the wheel turns by `delta` pixels, `count` times at the rate of frames. */
async function wheel(page: Page, delta: number, count: number): Promise<number[]> {
  const box = await page.getByRole('grid').first().boundingBox()
  if (!box) throw new Error('There is no table')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.evaluate(() => window.bench.rewind())
  await page.waitForTimeout(300)
  await page.evaluate(() => window.bench.watchFrames())
  await steadily(count, 60, () => page.mouse.wheel(0, delta))
  await page.waitForTimeout(200)
  const frames = await page.evaluate(() => window.bench.scrollFrames())
  await page.evaluate(() => window.bench.rewind())
  return frames
}

async function measure(page: Page, samples: Samples): Promise<void> {
  await holdKey(page, samples)
  samples.wheel.push(...(await wheel(page, 120, 120)))
  samples.briskWheel.push(...(await wheel(page, 185, 180)))
  await focusFirstRow(page)
  await page.waitForTimeout(300)
  const press = repeat(actions, () => () => page.keyboard.press('x'))
  samples.toggledByKey.push(...(await timeEach(page, 'selectedRow', press)))
  const box = page.getByRole('grid').getByRole('row').getByRole('checkbox')
  // The first checkbox is the one of the header.
  const clicks = repeat(actions, await always(clickOf(box.nth(3))))
  samples.clicked.push(...(await timeEach(page, 'selectedRows', clicks, { event: 'click' })))
  const all = repeat(actions, await always(clickOf(page.getByRole('checkbox', { name: 'Select the page' }))))
  samples.selected.push(...(await timeEach(page, 'selectedPage', all, { event: 'click', pause: 250 })))
}

/** Makes the same action for each turn. */
async function always<Action>(action: Promise<Action>): Promise<() => Action> {
  const one = await action
  return () => one
}

/** What the console has to keep; its key may take as long as the floor's. */
const budgets = (floor: Samples): Readonly<Record<string, Budget>> => {
  const { median, p95 } = figure('', '', floor.held, null)
  return {
    held: { median, ...(p95 !== null && { p95 }) },
    toggled: { median: 12, p95: 20 },
    selected: { median: 16, p95: 25 },
    wheel: { median: 2 },
    briskWheel: { median: 15 },
  }
}

function reportOf({ name }: Subject, samples: Samples, aims: Readonly<Record<string, Budget>>): void {
  const aim = (of: string) => (name === 'console' ? (aims[of] ?? null) : null)
  const title = (what: string) => `${name}, ${rows} rows: ${what}`
  report(
    frameShare(title('wheel 120 px, frames over 20 ms'), samples.wheel, slowFrame, aim('wheel')),
    frameShare(
      title('brisk wheel, 185 px a frame, frames over 20 ms'),
      samples.briskWheel,
      slowFrame,
      aim('briskWheel'),
    ),
    figure(title('toggle a row, click to paint'), 'ms', samples.clicked, aim('toggled')),
    figure(title('toggle a row, x to paint'), 'ms', samples.toggledByKey, aim('toggled')),
    figure(title('select all or none, click to paint'), 'ms', samples.selected, aim('selected')),
    figure(title('j held at 30 a second, key to paint'), 'ms', samples.held, aim('held')),
    frameShare(title('j held, frames over 20 ms'), samples.heldFrames, slowFrame, null),
  )
}

/** Measures both tables in turn, each in three new pages. */
export async function measureTable(bench: Bench): Promise<void> {
  progress('A page of 1,000 rows …')
  const subjects = await startBoth(bench)
  const browser = await bench.browser()
  const measured = new Map(subjects.map(subject => [subject, noSamples()]))
  await inTurn(repetitions, async () => {
    for (const [subject, samples] of measured) await withDevices(browser, subject, rows, page => measure(page, samples))
    return []
  })
  const aims = budgets(measured.get(subjects[0])!)
  for (const [subject, samples] of measured) reportOf(subject, samples, aims)
}

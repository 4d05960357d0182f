/** The palette with two hundred commands: opening it, and typing with and without a search of the fleet. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { root } from '../../../scripts/programs.ts'
import type { Bench } from '../bench.ts'
import { inTurn, repeat, timeEach } from '../browser.ts'
import type { Stroke } from '../clock.ts'
import { figure, progress, report, type Budget } from '../figures.ts'
import { contextOf, repetitions, startConsole, withDevices, type Subject } from './subjects.ts'

/** The number of commands offered to an administrator; scripts are added up to it. */
const commands = 200

/** First openings and repeated ones in each repetition. */
const firstOpenings = 8
const openings = 20

/** Searches of commands only, after the `>` that limits the palette to them. */
const commandQueries = ['flush', 'lock d', 'open c', 'sort by', 'auto-f']
/** Searches of commands and devices: by a command, by parts of an id and of a description, and without any result. */
const queries = ['flush 1', 'a4:7', 'kitchen', 'lock r2', 'open 00']
/** Milliseconds without a change after which a search has settled; the search of devices begins within them. */
const quiet = 220

interface ListedCommand {
  readonly roles: readonly string[] | 'all'
  readonly keysOnly?: boolean
}
function offeredCommands(): number {
  const output = execFileSync(process.execPath, [join(root, 'tests', 'e2e', 'support', 'commandList.mjs')], {
    encoding: 'utf8',
  })
  const all = JSON.parse(output) as ListedCommand[]
  return all.filter(({ roles, keysOnly }) => !keysOnly && (roles === 'all' || roles.includes('admin'))).length
}

/** Imports a file of scripts in the console. */
async function importScripts(page: Page, count: number): Promise<void> {
  const scripts = repeat(count, at => ({
    name: `Morning round ${at + 1}`,
    steps: [{ command: 'device.flush' }, { command: 'device.reboot' }],
  }))
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  const dialog = page.getByRole('dialog', { name: 'Scripts' })
  await dialog.getByLabel('Scripts file').setInputFiles({
    name: 'scripts.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ permeate: 'scripts', version: 1, scripts })),
  })
  await dialog.getByText(`Morning round ${count}`, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

/** Closes the palette, whose text may have become chips or an argument page, which Esc leaves first. */
async function close(page: Page): Promise<void> {
  const palette = page.getByRole('dialog').getByRole('combobox')
  while (await palette.count()) {
    await page.keyboard.press('Escape')
    await page.waitForTimeout(60)
  }
}

const open = (page: Page, shows: 'palette' | 'paletteFrame' = 'palette') =>
  timeEach(page, shows, [() => page.keyboard.press('Control+k')])

/** Types a text letter by letter, each once the one before has settled. */
async function type(page: Page, text: string): Promise<Stroke[]> {
  const strokes: Stroke[] = []
  for (const letter of text) {
    await page.evaluate(silence => window.bench.stroke(silence), quiet)
    await page.keyboard.press(letter === ' ' ? 'Space' : letter)
    strokes.push(await page.evaluate(() => window.bench.struck()))
  }
  return strokes
}

/** Opens the palette as soon as the first row of a new page is shown. */
async function openFirst(browser: Browser, subject: Subject, shows?: 'paletteFrame'): Promise<number[]> {
  const context = await contextOf(browser, subject, 20)
  try {
    const page = await context.newPage()
    await page.goto(`${subject.url}/devices`, { waitUntil: 'commit' })
    await page.evaluate(() => window.bench.firstRow())
    return await open(page, shows)
  } finally {
    await context.close()
  }
}

interface Samples {
  readonly opened: number[]
  readonly commands: Stroke[]
  readonly devices: Stroke[]
}

async function measureOpen(page: Page, own: number, samples: Samples): Promise<void> {
  if (own < commands) await importScripts(page, commands - own)
  for (const _ of repeat(openings, index => index)) {
    samples.opened.push(...(await open(page)))
    await close(page)
  }
  for (const query of commandQueries) {
    await open(page)
    await type(page, '>')
    samples.commands.push(...(await type(page, query)))
    await close(page)
  }
  for (const query of queries) {
    await open(page)
    samples.devices.push(...(await type(page, query)))
    await close(page)
  }
}

export async function measurePalette(bench: Bench): Promise<void> {
  const own = offeredCommands()
  progress(`The palette, with ${own} commands and ${Math.max(0, commands - own)} scripts …`)
  const subject = await startConsole(bench)
  const browser = await bench.browser()
  // The server's first responses are slower and not measured.
  await openFirst(browser, subject)
  const first = await inTurn(repetitions * firstOpenings, () => openFirst(browser, subject))
  report(figure('palette: first opening, right after the first row', 'ms', first, { median: 80 }))
  const frames = await inTurn(repetitions * firstOpenings, () => openFirst(browser, subject, 'paletteFrame'))
  report(figure('palette: first opening, until its frame shows what is typed', 'ms', frames, { median: 80 }))
  const samples: Samples = { opened: [], commands: [], devices: [] }
  await inTurn(repetitions, async () => {
    await withDevices(browser, subject, 20, page => measureOpen(page, own, samples))
    return []
  })
  const painted = (strokes: readonly Stroke[]) => strokes.map(one => one.painted)
  const settled = (strokes: readonly Stroke[]) => strokes.map(one => one.settled)
  report(
    figure('palette of 200 commands: key to open', 'ms', samples.opened, { p95: 50 }),
    figure('palette of 200 commands, commands only: key to paint', 'ms', painted(samples.commands), keyAim),
    figure('palette of 200 commands, commands only: key to settled', 'ms', settled(samples.commands), {
      median: 30,
      p95: 50,
    }),
    figure('palette with 100,000 devices: key to paint', 'ms', painted(samples.devices), keyAim),
    figure('palette with 100,000 devices: key to settled', 'ms', settled(samples.devices), { median: 120, p95: 200 }),
  )
}

const keyAim: Budget = { median: 12, p95: 20 }

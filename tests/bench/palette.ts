/** The palette with two hundred commands: opening it, and typing while the server searches the fleet. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { root } from '../../scripts/programs.ts'
import { timeEach, repeat } from './browser.ts'
import { figure, progress, report, type Figure } from './figures.ts'

/** The number of commands offered to an administrator; scripts are added up to it. */
const commands = 200

/** Commands, parts of an id and of a description, inline arguments, devices only, and systems and models. */
const queries = ['flush', 'a4:7', 'kitchen', 'sort by', 'auto-flush after 5th 18', '@kitchen', '#ro']

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

export async function measurePalette(page: Page): Promise<Figure[]> {
  const own = offeredCommands()
  progress(`The palette, with ${own} commands and ${Math.max(0, commands - own)} scripts …`)
  if (own < commands) await importScripts(page, commands - own)
  const opened: number[] = []
  const typed: number[] = []
  for (const query of repeat(5, () => queries).flat()) {
    opened.push(...(await timeEach(page, 'palette', [() => page.keyboard.press('Control+k')])))
    const keys = query.split('').map(letter => () => page.keyboard.press(letter === ' ' ? 'Space' : letter))
    typed.push(...(await timeEach(page, 'paletteList', keys, { pause: 90 })))
    // The text may have become chips or an argument page, which Esc leaves first.
    const palette = page.locator('[role=dialog] [cmdk-input]')
    while (await palette.count()) {
      await page.keyboard.press('Escape')
      await page.waitForTimeout(60)
    }
  }
  return [
    figure('palette of 200 commands: key to open', 'ms', opened, { p95: 50 }),
    figure('palette of 200 commands, 100,000 devices: key to list', 'ms', typed, { p95: 24 }),
  ].map(report)
}

/** The palette with two hundred commands: opening it, and each key typed in it while the server searches the fleet. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { root } from '../../scripts/programs.ts'
import { timeEach, times } from './browser.ts'
import { figure, progress, tell, type Figure } from './figures.ts'

/** Those that an administrator is offered, at least; a person's scripts make up what is missing. */
const commands = 200

/** Commands, a part of a device's id, a part of a description, arguments typed ahead, devices only, systems and models. */
const queries = ['flush', 'a4:7', 'kitchen', 'sort by', 'auto-flush after 5th 18', '@kitchen', '#ro']

interface Told {
  readonly roles: readonly string[] | 'all'
  readonly keysOnly?: boolean
}
function offered(): number {
  const told = execFileSync(process.execPath, [join(root, 'tests', 'e2e', 'support', 'commandList.mjs')], {
    encoding: 'utf8',
  })
  const all = JSON.parse(told) as Told[]
  return all.filter(({ roles, keysOnly }) => !keysOnly && (roles === 'all' || roles.includes('admin'))).length
}

/** Takes a file of scripts in, as a person would. */
async function takeScripts(page: Page, count: number): Promise<void> {
  const scripts = times(count, at => ({
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
  const own = offered()
  progress(`The palette, with ${own} commands and ${Math.max(0, commands - own)} scripts …`)
  if (own < commands) await takeScripts(page, commands - own)
  const opened: number[] = []
  const typed: number[] = []
  for (const query of times(5, () => queries).flat()) {
    opened.push(...(await timeEach(page, 'palette', [() => page.keyboard.press('Control+k')])))
    const keys = query.split('').map(letter => () => page.keyboard.press(letter === ' ' ? 'Space' : letter))
    typed.push(...(await timeEach(page, 'paletteList', keys, { pause: 90 })))
    // What was typed may be chips or a page of arguments, which Esc leaves first.
    const palette = page.locator('[role=dialog] [cmdk-input]')
    while (await palette.count()) {
      await page.keyboard.press('Escape')
      await page.waitForTimeout(60)
    }
  }
  return [
    figure('palette of 200 commands: key to open', 'ms', opened, { p95: 50 }),
    figure('palette of 200 commands, 100,000 devices: key to list', 'ms', typed, { p95: 24 }),
  ].map(tell)
}

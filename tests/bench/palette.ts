/** The palette: opening it, and each key typed in it while the server searches the fleet. */
import type { Page } from '@playwright/test'
import { timeEach, times } from './browser.ts'
import { figure, progress, tell, type Figure } from './figures.ts'

/** Commands, a part of a device's id, a part of a description. */
const queries = ['flush', 'a4:7', 'kitchen', 'sort by']

export async function measurePalette(page: Page): Promise<Figure[]> {
  progress('The palette …')
  const opened: number[] = []
  const typed: number[] = []
  for (const query of times(5, () => queries).flat()) {
    opened.push(...(await timeEach(page, 'palette', [() => page.keyboard.press('Control+k')])))
    const keys = query.split('').map(letter => () => page.keyboard.press(letter === ' ' ? 'Space' : letter))
    typed.push(...(await timeEach(page, 'paletteList', keys, { pause: 90 })))
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  }
  return [
    figure('palette: key to open', 'ms', opened, { p95: 50 }),
    figure('palette: key to list', 'ms', typed, { p95: 24 }),
  ].map(tell)
}

/** Chromium, signed in, with the clock installed in every page. */
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { chromiumOptions } from '../support/chromium.ts'
import { progress } from './figures.ts'
import { installClock, type Probe } from './clock.ts'
import type { Session } from './session.ts'

/** Starts Chromium with the JavaScript engine as people have it; a wheel's events scroll at once, so that each counts for the frame that shows it. */
export function launch(): Promise<Browser> {
  return chromium.launch({ ...chromiumOptions, args: [...chromiumOptions.args, '--disable-smooth-scrolling'] })
}

/** The state of a list that a bench sets before the console starts. */
export interface InitialListState {
  readonly limit?: number
}

/** Opens a context with an empty cache and a stored session, if the page has any. */
export async function openContext(
  browser: Browser,
  url: string,
  session: Session | undefined,
  list: InitialListState = {},
): Promise<BrowserContext> {
  const stored = { session, 'list:devices': list }
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: {
      cookies: [],
      origins: session
        ? [
            {
              origin: url,
              localStorage: Object.entries(stored).map(([name, value]) => ({
                name: `permeate:${name}`,
                value: JSON.stringify(value),
              })),
            },
          ]
        : [],
    },
  })
  await context.addInitScript(installClock)
  return context
}

/** Resolves after half a second without a new resource; the stream, which never ends, does not count. */
export const networkIdle = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>(resolve => {
        let previous = -1
        const check = () => {
          const { length } = performance.getEntriesByType('resource')
          if (length === previous) return resolve()
          previous = length
          setTimeout(check, 500)
          return undefined
        }
        check()
      }),
  )

/** Opens the devices screen, with all idle loading done and its first row focused. */
export async function openDevices(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/devices`)
  await page.evaluate(() => window.bench.firstRow())
  await networkIdle(page)
  await focusFirstRow(page)
  await page.waitForTimeout(500)
  return page
}

/** Moves the focus to the first row, which may be focused by `aria-activedescendant`. */
export async function focusFirstRow(page: Page): Promise<void> {
  await page.keyboard.press('Home')
  await page.waitForFunction(() => {
    const active = document.activeElement
    const descendant = active?.getAttribute('aria-activedescendant')
    const element = descendant ? document.getElementById(descendant) : active
    return element?.closest('[role=row][aria-selected]')
  })
}

const maxWait = 5_000

/**
 * Runs each action, waits for the frame that shows its result, and then for `pause`.
 * Returns the milliseconds from each event to that frame.
 */
export async function timeEach(
  page: Page,
  probe: Probe,
  actions: readonly (() => Promise<unknown>)[],
  { event = 'keydown', pause = 120 }: { event?: 'keydown' | 'click'; pause?: number } = {},
): Promise<number[]> {
  await page.evaluate(([wanted, type]) => window.bench.time(wanted, type), [probe, event] as const)
  for (const [index, action] of actions.entries()) {
    await action()
    const late = await page.evaluate(within => window.bench.settled(within), maxWait)
    if (late > 0) progress(`${probe} did not change within ${maxWait} ms after event ${index + 1} of ${actions.length}`)
    await page.waitForTimeout(pause)
  }
  return page.evaluate(() => window.bench.taken())
}

export const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Repeats an action one after the other, and returns all of its samples. */
export async function inTurn<T>(count: number, action: (index: number) => Promise<readonly T[]>): Promise<T[]> {
  const samples: T[] = []
  for (let index = 0; index < count; index++) samples.push(...(await action(index)))
  return samples
}

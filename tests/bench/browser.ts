/** Chromium as the browser tests start it, signed in, with the stop watch in every page. */
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import playwrightConfig from '../../playwright.config.ts'
import { progress } from './figures.ts'
import { installClock, type Probe } from './clock.ts'
import type { Session } from './session.ts'

export const launch = (): Promise<Browser> => chromium.launch(playwrightConfig.use?.launchOptions)

/** What of a list's state a bench sets before the console starts. */
export interface ListStart {
  readonly limit?: number
}

/** A browser of its own with nothing cached; the session is stored as the console stores it. */
export async function signedIn(
  browser: Browser,
  url: string,
  session: Session,
  list: ListStart = {},
): Promise<BrowserContext> {
  const stored = { session, 'list:devices': list }
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: {
      cookies: [],
      origins: [
        {
          origin: url,
          localStorage: Object.entries(stored).map(([name, value]) => ({
            name: `permeate:${name}`,
            value: JSON.stringify(value),
          })),
        },
      ],
    },
  })
  await context.addInitScript(installClock)
  return context
}

/** Resolves when nothing more has come for half a second; the stream, which is always under way, does not count. */
export const quietWire = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>(resolve => {
        let seen = -1
        const look = () => {
          const { length } = performance.getEntriesByType('resource')
          if (length === seen) return resolve()
          seen = length
          setTimeout(look, 500)
          return undefined
        }
        look()
      }),
  )

/** The devices screen, with everything that loads when idle loaded, and its first row focused. */
export async function openDevices(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/devices`)
  await page.evaluate(() => window.bench.firstRow())
  await quietWire(page)
  await page.keyboard.press('Home')
  await page.locator('.row-focused').waitFor()
  await page.waitForTimeout(500)
  return page
}

const slowest = 5_000

/** Does each thing, waits for the frame that shows it, then for `pause`; milliseconds each from its event. */
export async function timeEach(
  page: Page,
  probe: Probe,
  deeds: readonly (() => Promise<unknown>)[],
  { event = 'keydown', pause = 120 }: { event?: 'keydown' | 'click'; pause?: number } = {},
): Promise<number[]> {
  await page.evaluate(([wanted, type]) => window.bench.time(wanted, type), [probe, event] as const)
  for (const [index, deed] of deeds.entries()) {
    await deed()
    const late = await page.evaluate(within => window.bench.settled(within), slowest)
    if (late > 0) progress(`${probe} did not change within ${slowest} ms after event ${index + 1} of ${deeds.length}`)
    await page.waitForTimeout(pause)
  }
  return page.evaluate(() => window.bench.taken())
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

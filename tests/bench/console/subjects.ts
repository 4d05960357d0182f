/** The console beside its control, a bare table: each is measured in turn, so that the machine's state is the same for both. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { openContext, openDevices } from '../browser.ts'
import type { Bench } from '../bench.ts'
import { serveFloor } from '../floor/serve.ts'
import { dist } from '../../../scripts/build.ts'
import type { Session } from '../session.ts'

export interface Subject {
  readonly name: 'floor' | 'console'
  readonly url: string
  /** The folder of its build. */
  readonly dist: string
  readonly session?: Session
}

/** How often each subject is measured; the console and the floor alternate. */
export const repetitions = 3

/** Starts the console with the large fleet. */
export async function startConsole(bench: Bench): Promise<Subject> {
  const { url, admin } = await bench.largeServer()
  return { name: 'console', url, dist, session: admin }
}

/** Starts the floor and the console. */
export async function startBoth(bench: Bench): Promise<readonly [floor: Subject, console: Subject]> {
  const floor = await serveFloor()
  bench.after(() => floor.close())
  return [{ name: 'floor', url: floor.url, dist: floor.dist }, await startConsole(bench)]
}

/** Opens a context without any cache; a list shows `limit` rows a page. */
export const contextOf = (browser: Browser, { url, session }: Subject, limit: number): Promise<BrowserContext> =>
  openContext(browser, url, session, { limit })

/** Opens the devices in a new context with `limit` rows a page, and closes it after `measure`. */
export async function withDevices<Result>(
  browser: Browser,
  subject: Subject,
  limit: number,
  measure: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await contextOf(browser, subject, limit)
  try {
    return await measure(await openDevices(context, subject.url))
  } finally {
    await context.close()
  }
}

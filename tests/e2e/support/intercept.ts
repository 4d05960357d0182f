import { expect, type Page } from '@playwright/test'
import { isEmpty } from './fixtures.ts'

/** Routes what the page asks for from now on. */
export async function intercept(page: Page, ...route: Parameters<Page['route']>): Promise<void> {
  await page.route(...route)
  await intercepts(page)
}

/**
 * Waits until a page that has routes is certain to be intercepted: on a busy machine Chromium lets calls through for a
 * moment after it has said that it intercepts. What is opened later is intercepted from its start.
 */
export async function intercepts(page: Page): Promise<void> {
  if (page.url() === 'about:blank' || isEmpty(page)) return
  await page.route('**/intercepted', route => route.fulfill({ status: 204 }))
  await expect.poll(() => page.evaluate(async () => (await fetch('/intercepted')).status)).toBe(204)
}

import { expect, type Page } from '@playwright/test'
import { isEmpty } from './fixtures.ts'

/** Routes requests of the page, and waits until the route is in effect. */
export async function intercept(page: Page, ...route: Parameters<Page['route']>): Promise<void> {
  await page.route(...route)
  await intercepts(page)
}

/**
 * Waits until the routes of a page are in effect: on a busy machine, Chromium lets requests through for a moment after
 * it has confirmed a route. In pages opened later, routes are in effect from the start.
 */
export async function intercepts(page: Page): Promise<void> {
  if (isEmpty(page)) return
  await page.route('**/intercepted', route => route.fulfill({ status: 204 }))
  await expect.poll(() => page.evaluate(async () => (await fetch('/intercepted')).status)).toBe(204)
}

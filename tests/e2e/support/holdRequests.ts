import type { Page, Route } from '@playwright/test'
import { intercept } from './intercept.ts'

/** Holds matching requests until the returned function is called. A later call for the same requests takes precedence. */
export const holdRequests = (page: Page, matching: string | RegExp) =>
  holdUntil(page, matching, route => route.continue())

/** Holds matching requests until the returned function is called; they then fail as if the server were out of reach. */
export const failRequests = (page: Page, matching: string | RegExp) => holdUntil(page, matching, route => route.abort())

async function holdUntil(page: Page, matching: string | RegExp, end: (route: Route) => Promise<void>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await intercept(page, matching, async route => {
    await promise
    await end(route)
  })
  return resolve
}

import type { Page } from '@playwright/test'
import { intercept } from './intercept.ts'

/** Holds matching requests until the returned function is called. A later call for the same requests takes precedence. */
export async function holdRequests(page: Page, matching: string | RegExp) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await intercept(page, matching, async route => {
    await promise
    await route.continue()
  })
  return resolve
}

import type { Page } from '@playwright/test'
import { intercept } from './intercept.ts'

/** Lets go of requests that match only when it is told to. Asked again, it is the newer one that holds them. */
export async function holdBack(page: Page, matching: string | RegExp) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await intercept(page, matching, async route => {
    await promise
    await route.continue()
  })
  return resolve
}

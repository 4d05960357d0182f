import type { Page } from '@playwright/test'

/** Lets go of requests that match only when it is told to. Asked again, it is the newer one that holds them. */
export async function holdBack(page: Page, matching: string | RegExp) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(matching, async route => {
    await promise
    await route.continue()
  })
  return resolve
}

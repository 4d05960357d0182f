import type { Page } from '@playwright/test'
import { intercept } from './intercept.ts'

/** While `on` of the result is true, matching requests get this status, or fail as refused if none is given. */
export async function blockRequests(page: Page, matching: string | RegExp, status?: number) {
  const blocked = { on: true }
  await intercept(page, matching, route => {
    if (!blocked.on) return route.continue()
    return status === undefined ? route.abort('connectionrefused') : route.fulfill({ status })
  })
  return blocked
}

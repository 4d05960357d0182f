import type { Page } from '@playwright/test'
import { intercept } from './intercept.ts'

/** Answers what is asked for with that status while `on`, or not at all. */
export async function withhold(page: Page, matching: string | RegExp, status?: number) {
  const withheld = { on: true }
  await intercept(page, matching, route => {
    if (!withheld.on) return route.continue()
    return status === undefined ? route.abort('connectionrefused') : route.fulfill({ status })
  })
  return withheld
}

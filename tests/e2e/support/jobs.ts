/** The jobs screen, and jobs that a test starts through the API. */
import type { Page } from '@playwright/test'
import type { Job } from '../../../src/api/contract/jobs.ts'
import type { Caller } from './api.ts'
import { expect } from './fixtures.ts'

export const list = (page: Page) => page.getByRole('grid', { name: 'Jobs' })
/** The newest job with a text: other tests of the worker have left theirs. */
export const job = (page: Page, text: string | RegExp) => list(page).getByRole('row').filter({ hasText: text }).first()
export const outcomes = (page: Page) => page.getByRole('grid', { name: 'Outcomes' })
export const outcome = (page: Page, id: string) => outcomes(page).getByRole('row').filter({ hasText: id })
export const openJob = (page: Page) => page.getByRole('region', { name: /: \d+ device/ })

/** Opens the jobs with the keyboard, without reloading the page. */
export async function goToJobs(page: Page) {
  // Retries both keys: on a busy machine they may be more than the second apart that a sequence allows. A navigation
  // that was only slow is not repeated.
  await expect(async () => {
    if (new URL(page.url()).pathname !== '/jobs') {
      await page.keyboard.press('g')
      await page.keyboard.press('j')
    }
    await expect(page).toHaveURL(/\/jobs(\?|$)/, { timeout: 5000 })
  }).toPass({ timeout: 15_000 })
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeFocused()
}

/** Moves to the newest job, whichever job was open before, once it is the one with this text. */
export async function focusNewestJob(page: Page, text: string) {
  const newest = list(page).getByRole('row').first()
  await expect(newest).toContainText(text)
  await page.keyboard.press('j')
  await expect(list(page).locator('[role=row]:focus')).toHaveCount(1)
  await page.keyboard.press('Home')
  await expect(newest).toBeFocused()
}

/** Starts a job and returns its id. */
export async function startJob(caller: Caller, request: object): Promise<string> {
  const { _id } = (await caller.call('POST', '/api/v3/jobs', request)) as { _id: string }
  return _id
}

/** Waits until the tasks of a job have these counts, besides zeros. */
export async function counted(caller: Caller, id: string, counts: Partial<Job['counts']>) {
  await expect
    .poll(async () => {
      const found = (await caller.call('GET', `/api/v3/jobs/${id}`)) as Job
      return Object.fromEntries(Object.entries(found.counts).filter(([, count]) => count > 0))
    })
    .toEqual(counts)
}

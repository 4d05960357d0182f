/** What a cold start shows and loads, in which order, counted without a clock. */
import type { Page } from '@playwright/test'
import { grid, openPalette, palette } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { holdRequests } from '../support/holdRequests.ts'

// Nothing may be in the browser's cache.
test.use({ ownContext: true })

/** The most requests of a cold start, until the page is idle. */
const maxRequests = 25
/** What the first row needs; all other scripts start after it. */
const firstScripts = /^(shell|(index|rolldown-runtime|main|app)-[\w-]+)\.js$/

/** Leaves out what is read a third time: devices of earlier tests still change, which updates the list and the badge. */
const withoutUpdates = (urls: readonly string[]) =>
  urls.filter((url, index) => urls.slice(0, index).filter(before => before === url).length < 2)

const shell = (page: Page) => page.locator('.shell')
const code = /\/assets\/(main|app)-[^/]+\.js$/
const store = (page: Page, name: string, state: unknown) =>
  page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `permeate:${name}`,
    JSON.stringify(state),
  ] as const)

test('the first row needs only the first scripts; until the code has loaded, the frame shows in the chosen theme and layout, and nothing moves then', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await expect(grid(page)).toBeVisible()
  await test.step('the first row needs only the first scripts, and the whole start few requests', async () => {
    const context = await page
      .context()
      .browser()!
      .newContext({ storageState: await page.context().storageState() })
    const cold = await context.newPage()
    await cold.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('[role=row][data-id]')) return
        observer.disconnect()
        document.documentElement.dataset.scripts = performance
          .getEntriesByType('resource')
          .map(({ name }) => new URL(name).pathname.split('/').pop()!)
          .filter(name => name.endsWith('.js'))
          .join(' ')
      })
      observer.observe(document, { subtree: true, childList: true })
    })
    const requests: string[] = []
    cold.on('request', request => {
      // Jobs that other tests of this server have left running are followed, which is no part of the start.
      if (!/\/(jobs\/|followRemoteJobs-)/.test(new URL(request.url()).pathname)) requests.push(request.url())
    })
    const last = cold.waitForResponse(/LoginScreen-[^/]+\.js$/)
    await cold.goto(new URL('/devices', page.url()).href)
    await grid(cold).getByRole('row').nth(1).waitFor()
    const scripts = ((await cold.locator('html').getAttribute('data-scripts')) ?? '').split(' ')
    expect(scripts).toContainEqual(expect.stringMatching(/^app-/))
    expect(scripts.filter(name => !firstScripts.test(name))).toEqual([])
    // What is loaded last, the badges, the updates and the requests that they make.
    await last
    await expect(cold.getByRole('banner').getByRole('status')).toHaveText('live')
    await expect(cold.getByRole('tablist', { name: 'Sections' })).toBeVisible()
    await expect.poll(() => requests.filter(url => url.includes('/unseen')).length).toBeGreaterThan(0)
    await cold.waitForFunction(() => new Promise<boolean>(resolve => requestIdleCallback(() => resolve(true))))
    expect(withoutUpdates(requests).length, requests.join('\n')).toBeLessThanOrEqual(maxRequests)
    // Nothing that the palette needs is left to load.
    const loaded = requests.filter(url => url.endsWith('.js')).length
    await openPalette(cold)
    await expect(palette(cold)).toBeVisible()
    expect(requests.filter(url => url.endsWith('.js'))).toHaveLength(loaded)
    await context.close()
  })
  await test.step('the frame shows in the chosen theme and layout before the code has loaded, and the console replaces it', async () => {
    await store(page, 'preferences', { theme: 'dark' })
    await store(page, 'layout', { navOpen: false, panelWidth: 'small' })
    const release = await holdRequests(page, code)
    await page.goto('/devices', { waitUntil: 'commit' })
    await expect(shell(page).getByText('Devices')).toBeVisible()
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
    const boxes = ['.shell-nav', '.shell-panel', '.status-bar']
    const before = await Promise.all(boxes.map(selector => shell(page).locator(selector).boundingBox()))
    release()
    await expect(grid(page).getByRole('row').nth(1)).toBeVisible()
    await expect(shell(page)).toHaveCount(0)
    const parts = [page.getByRole('navigation', { name: 'Main' }), page.locator('aside'), page.locator('footer')]
    await expect(parts[1]!.getByRole('tablist')).toBeVisible()
    // Nothing moves when the console replaces the frame.
    expect(await Promise.all(parts.map(part => part.boundingBox()))).toEqual(before)
  })
  await test.step('other screens show only the frame, and signed-out people none', async () => {
    const release = await holdRequests(page, code)
    await page.goto('/settings', { waitUntil: 'commit' })
    await expect(shell(page).getByText('Permeate')).toBeVisible()
    await expect(shell(page).getByText('Devices')).toBeHidden()
    await page.evaluate(() => localStorage.clear())
    await page.goto('/login', { waitUntil: 'commit' })
    await expect(shell(page)).toBeAttached()
    await expect(shell(page)).toBeHidden()
    release()
    await expect(page.getByRole('textbox', { name: 'Login' })).toBeFocused()
  })
})

/** Accessibility checks with axe, and helpers for them. */
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from '@playwright/test'
import { expect, signIn } from './fixtures.ts'

/** axe's rules about colours; all other rules give the same result in both themes. */
const colourRules = ['color-contrast', 'link-in-text-block']

type Parts = Readonly<{ include: string; exclude: string[] }>

/** The rows of a list after its first ones, which have the same parts. Checking them takes most of the time. */
const otherRows = '[role=grid] :is([role=row], tr):nth-child(n + 7)'

/** The frame of all screens: top bar, navigation and status bar. */
const frame = ['div:has(> .status-bar) > header', 'nav[aria-label=Main]', '.status-bar']

/**
 * Checks the page in both themes. `part` is a selector that limits the check, for a page whose other parts have been
 * checked already. Leaves out the frame, and the rows of a list after the first ones, unless `whole` is set. The theme is
 * switched with the console's own class and switched back afterwards.
 */
export async function check(page: Page, what: string, part = 'html', { whole = false } = {}) {
  const parts: Parts = { include: part, exclude: whole ? [] : [otherRows, ...frame] }
  await loadAxe(page)
  const before = await themeOf(page)
  await report(page, parts, {}, `${what}, ${before}`)
  const toggle = () => page.evaluate(() => void document.documentElement.classList.toggle('dark'))
  await toggle()
  expect(await themeOf(page), what).not.toBe(before)
  await report(page, parts, { runOnly: colourRules }, `${what}, in the other theme`)
  await toggle()
}

/** Adds axe to the document once, because the script is half a megabyte. */
async function loadAxe(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
}

async function report(page: Page, parts: Parts, options: RunOptions, what: string) {
  // Reports violations only; the passes would cover most of the page.
  const { violations } = await page.evaluate(
    ([context, run]) =>
      (window as unknown as { axe: typeof axe }).axe.run(context, { ...run, reporter: 'no-passes' as const }),
    [parts, options] as const,
  )
  expect(violations.map(summary), what).toEqual([])
}

const summary = ({ id, help, nodes }: AxeResults['violations'][number]) => ({
  rule: `${id}: ${help}`,
  where: nodes.slice(0, 5).map(node => `${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
})

const themeOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)

/** Signs in and waits until the light theme is applied. */
export async function start(page: Page, login = 'admin') {
  await signIn(page, login)
  await expect.poll(() => themeOf(page)).toBe('light')
}

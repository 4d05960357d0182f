/** Checks of the page by axe, and what they have in common. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, signIn } from './fixtures.ts'

export const themes = ['light', 'dark'] as const

/** All of the page, or the part of it that a selector names where the rest has been checked already. */
export async function check(page: Page, what: string, part = 'html') {
  const { violations } = await new AxeBuilder({ page }).include(part).analyze()
  const found = violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    where: nodes.slice(0, 5).map(node => `${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
  }))
  expect(found, what).toEqual([])
}

export async function start(page: Page, theme: (typeof themes)[number], login = 'admin') {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(page, login)
  if (theme === 'dark') await page.keyboard.press('t')
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe(theme)
}
export const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

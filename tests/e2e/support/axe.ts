/** Checks of the page by axe, and what they have in common. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, signIn } from './fixtures.ts'

/** Of axe's rules those that a theme can break; all others read what both themes share. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/**
 * Checks all of the page in both themes, or the part of it that a selector names where the rest has been checked already.
 * The second theme is put on as the console does it, and taken off again.
 */
export async function check(page: Page, what: string, part = 'html') {
  const axe = () => axeOn(page).include(part)
  const before = await themeOf(page)
  await report(axe(), `${what}, ${before}`)
  const turn = () => page.evaluate(() => void document.documentElement.classList.toggle('dark'))
  await turn()
  expect(await themeOf(page), what).not.toBe(before)
  await report(axe().withRules(rulesOfColour), `${what}, in the other theme`)
  await turn()
}

/** There is no frame, so that the page's own axe sees everything; and of what passes nothing has to be listed. */
const axeOn = (page: Page) => new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })

async function report(axe: AxeBuilder, what: string) {
  const { violations } = await axe.analyze()
  const found = violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    where: nodes.slice(0, 5).map(node => `${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
  }))
  expect(found, what).toEqual([])
}

const themeOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)

/** Signs in, and waits until the theme is on. */
export async function start(page: Page, login = 'admin') {
  await signIn(page, login)
  await expect.poll(() => themeOf(page)).toBe('light')
}
export const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

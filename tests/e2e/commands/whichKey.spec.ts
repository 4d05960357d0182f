/** The list of keys that may follow a started sequence is readable at every width. */
import type { Page } from '@playwright/test'
import { loaded } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'

const nextKeys = (page: Page) => page.getByRole('region', { name: /^Keys that may follow/ })

/** Returns the texts of entries that are cut off. */
const cutOff = (page: Page) =>
  nextKeys(page)
    .getByRole('button')
    .evaluateAll(buttons =>
      buttons
        .filter(button =>
          [button, ...button.querySelectorAll('span')].some(
            part => part.scrollWidth > part.clientWidth && part.clientWidth > 0,
          ),
        )
        .map(button => button.textContent),
    )

test('the keys that may follow a sequence are not cut off at any width', async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
  for (const width of [1440, 1000, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const key of ['a', 's', 'g']) {
      await page.keyboard.press(key)
      await expect(nextKeys(page)).toBeVisible()
      expect(await cutOff(page), `after ${key} at ${width} px`).toEqual([])
      await page.keyboard.press('Escape')
      await expect(nextKeys(page)).toBeHidden()
    }
  }
  await page.keyboard.press('a')
  await expect(nextKeys(page)).toBeVisible()
  const lefts = await nextKeys(page)
    .getByRole('button')
    .evaluateAll(buttons => buttons.map(button => button.getBoundingClientRect().left))
  expect(new Set(lefts).size).toBe(1)
})

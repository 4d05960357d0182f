/** What may follow the keys of a sequence can be read, whatever the width. */
import type { Page } from '@playwright/test'
import { loaded } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'

const follows = (page: Page) => page.getByRole('region', { name: /^Keys that may follow/ })

/** The entries of which not all is in sight. */
const cut = (page: Page) =>
  follows(page)
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

for (const width of [1440, 1000, 390])
  test(`at ${width} px every entry is shown in full`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await signIn(page, 'admin')
    await loaded(page)
    for (const key of ['a', 's', 'g']) {
      await page.keyboard.press(key)
      await expect(follows(page)).toBeVisible()
      expect(await cut(page), `after ${key}`).toEqual([])
      await page.keyboard.press('Escape')
      await expect(follows(page)).toBeHidden()
    }
    if (width === 390) {
      await page.keyboard.press('a')
      await expect(follows(page)).toBeVisible()
      const lefts = await follows(page)
        .getByRole('button')
        .evaluateAll(buttons => buttons.map(button => button.getBoundingClientRect().left))
      expect(new Set(lefts).size).toBe(1)
    }
  })

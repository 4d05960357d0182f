/** The days of findings, which are the device's, to a person west of it. */
import type { Finding } from '../../../src/api/contract/findings.ts'
import { callerFor } from '../support/api.ts'
import { newFindings } from '../support/findings.ts'
import { expect, test } from '../support/fixtures.ts'
import { find, signInAtList } from '../support/lists.ts'

test.use({ timezoneId: 'America/St_Johns' })

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

test('a finding began and was found on the days of its device, wherever one looks', async ({ page, server }) => {
  const [bssid = ''] = await newFindings(server, 1)
  const vendor = await callerFor(server.url, 'vendor')
  const { data } = (await vendor.call('GET', `/api/v3/health/findings?column=bssid&operator=eq&search=${bssid}`)) as {
    data: Finding[]
  }
  const { began_at, began_early, began_late, detected_at } = data[0]!
  const [began, early, late, found] = [began_at, began_early, began_late, detected_at].map(each =>
    day.format(Date.parse(each)),
  )
  await signInAtList(page, 'vendor', 'findings')
  await find(page, bssid, 1)
  const row = page.getByRole('grid').getByRole('row').filter({ hasText: bssid })
  // The columns of the days are to the right of those that show.
  await row.hover()
  await page.mouse.wheel(2000, 0)
  await expect(row).toContainText(began!)
  await expect(row).toContainText(found!)

  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  const finding = page.getByRole('main').getByRole('article', { name: 'Finding' })
  await expect(finding).toContainText(`Since ${began} (${early} – ${late})`)
  await page.keyboard.press('Shift+H')
  await expect(page.getByRole('dialog')).toContainText(
    `between ${early} and ${late}, most likely on ${began}, and was found on ${found}.`,
  )
})

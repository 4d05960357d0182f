/** Notifications grouped by the days of the viewer's time zone, which ends its summer time that day. */
import { loaded } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { feed, notes, openNotifications } from '../support/notifications.ts'

// A fixed clock cannot be removed from a context.
test.use({ ownContext: true, timezoneId: 'Europe/Berlin' })

const times = ['25T11:30', '25T01:30', '25T00:30', '24T22:30', '24T21:30', '24T03:30'].map(
  time => `2026-10-${time}:00.000Z`,
)
const data = times.map((created_at, at) => ({
  _id: String(9 - at),
  type: 'temperature_high',
  device: { bssid: 'FE:E2:00:00:00:01', description: '', company_name: 'Clearspring Oy' },
  created_at,
  values: { temperature: 39.2 },
}))

const expected = [
  ['Today', '12:30'],
  // The repeated hour.
  ['Today', '02:30'],
  ['Today', '02:30'],
  ['Today', '00:30'],
  ['Yesterday', '23:30'],
  ['Yesterday', '05:30'],
]

test('notifications are grouped under the days of the time zone', async ({ page }) => {
  await page.clock.setFixedTime('2026-10-25T12:00:00Z')
  // Otherwise notifications about other tests' devices would appear.
  await intercept(page, '**/api/v3/stream*', route => route.abort())
  await intercept(page, /\/api\/v3\/notifications\?/, route =>
    route.fulfill({ json: { data: { count: data.length, data } } }),
  )
  // Nor findings about them.
  await intercept(page, /\/api\/v3\/health\/findings\/notified/, route => route.fulfill({ json: { data: [] } }))
  await signIn(page, 'admin')
  await loaded(page)
  await openNotifications(page)
  // Four of one type on one day are one line, until it is unfolded by key or button.
  await expect(notes(page)).toHaveCount(data.length - 3)
  const unfold = page.getByRole('button', { name: /^Show 3 more/ })
  await expect(feed(page)).toContainText('3 more in a row, from this device')
  await unfold.click()
  await expect(notes(page)).toHaveCount(data.length)
  await page.keyboard.press('x')
  await expect(notes(page)).toHaveCount(data.length - 3)
  await page.keyboard.press('x')
  await expect(notes(page)).toHaveCount(data.length)
  const shown = await notes(page).evaluateAll(all => {
    let day = ''
    return all.map(note => {
      day = note.querySelector('h2')?.textContent ?? day
      return [day, note.querySelector('time')?.textContent?.replace(/\s/g, ' ')]
    })
  })
  expect(shown).toEqual(expected)
  await expect(notes(page).first()).toContainText('39.2 °C')
})

/** The same notifications, by the days of two zones, on a day when clocks are put back in one of them. */
import { loaded } from './devices.ts'
import { expect, signIn, test } from './fixtures.ts'
import { notes, openNotifications } from './notices.ts'

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

const expected = {
  'Europe/Berlin': [
    ['Today', '12:30 PM'],
    // The hour that comes twice.
    ['Today', '2:30 AM'],
    ['Today', '2:30 AM'],
    ['Today', '12:30 AM'],
    ['Yesterday', '11:30 PM'],
    ['Yesterday', '5:30 AM'],
  ],
  'America/New_York': [
    ['Today', '7:30 AM'],
    ['Yesterday', '9:30 PM'],
    ['Yesterday', '8:30 PM'],
    ['Yesterday', '6:30 PM'],
    ['Yesterday', '5:30 PM'],
    ['Friday, October 23, 2026', '11:30 PM'],
  ],
} as const

for (const zone of ['Europe/Berlin', 'America/New_York'] as const)
  test.describe(zone, () => {
    test.use({ timezoneId: zone })
    test('notifications stand under their day', async ({ page }) => {
      await page.clock.setFixedTime('2026-10-25T12:00:00Z')
      await page.route(/\/api\/v3\/notifications\?/, route =>
        route.fulfill({ json: { data: { count: data.length, data } } }),
      )
      await signIn(page, 'admin')
      await loaded(page)
      await openNotifications(page)
      await expect(notes(page)).toHaveCount(data.length)
      const shown = await notes(page).evaluateAll(all => {
        let day = ''
        return all.map(note => {
          day = note.querySelector('h2')?.textContent ?? day
          return [day, note.querySelector('time')?.textContent?.replace(/\s/g, ' ')]
        })
      })
      expect(shown).toEqual(expected[zone])
      await expect(notes(page).first()).toContainText('39.2 °C')
    })
  })

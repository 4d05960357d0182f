/** A device's statistics of the last 24 hours, in the panel and on the device's screen. */
import type { Locator } from '@playwright/test'
import { callerFor, newCredential } from '../support/api.ts'
import { focusDevice, loaded, panel } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { connectDevice } from '../support/wireDevice.ts'

/** Returns a function that reads the values of a section by name. */
const factsOf = (place: Locator, section: string) => async () => {
  const list = place
    .locator('section')
    .filter({ has: place.page().getByRole('heading', { name: section, exact: true }) })
  const [names, values] = [
    await list.getByRole('term').allTextContents(),
    await list.getByRole('definition').allTextContents(),
  ]
  return Object.fromEntries(names.map((name, at) => [name, values[at]]))
}
const within = { timeout: 30_000 }

test('the statistics of the last 24 hours are dashes without readings, and then totals of all readings in the chosen units', async ({
  page,
  server,
}) => {
  // Statistics are reloaded every 15 s.
  test.slow()
  const admin = await callerFor(server.url, 'admin')
  const credential = await newCredential(admin)
  const { bssid } = credential
  await signIn(page, 'admin')
  await loaded(page)
  await focusDevice(page, bssid)
  await page.keyboard.press('Space')
  const lastDay = factsOf(panel(page), 'Last 24 hours')
  const nothing = { Permeate: '–', Waste: '–', 'Mean recovery': '–', 'Mean rejection': '–', 'Last reading': '–' }
  await expect.poll(lastDay).toEqual(nothing)

  const device = await connectDevice(server.mqttPort(), credential)
  const now = Date.now()
  const reading = (minutesAgo: number, feed: number, permeate: number, permeate_tds: number) => ({
    at: new Date(now - minutesAgo * 60_000).toISOString(),
    feed,
    permeate,
    feed_flow: 1.2,
    permeate_flow: 0.4,
    feed_tds: 400,
    permeate_tds,
    pressure: 4,
    temperature: 15,
  })
  // Recovery is 20 % in the first reading and 60 % in the second, and 30 of 90 litres in total.
  await device.read(reading(40, 60, 12, 40), reading(3, 30, 18, 20))
  const done = { Permeate: '30.0 l', Waste: '60.0 l', 'Mean recovery': '33.3 %', 'Mean rejection': '93.0 %' }
  await expect.poll(lastDay, within).toEqual({ ...done, 'Last reading': expect.stringMatching(/^[34] min ago$/) })
  await expect.poll(factsOf(panel(page), 'Lifetime'), within).toMatchObject({ Feed: '90.0 l', Permeate: '30.0 l' })

  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/devices/${bssid}$`))
  await expect.poll(factsOf(page.getByRole('main'), 'Last 24 hours')).toMatchObject(done)
  await page.evaluate(() => {
    const units = { volume: 'gal', temperature: 'C', pressure: 'bar', concentration: 'ppm', flow: 'gal/min' }
    localStorage.setItem('permeate:preferences', JSON.stringify({ units }))
  })
  await page.reload()
  await expect
    .poll(factsOf(page.getByRole('main'), 'Last 24 hours'))
    .toMatchObject({ Permeate: '7.9 gal', Waste: '15.9 gal' })
  await device.leave()
})

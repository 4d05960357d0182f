/** The notifications' screen while new ones are told: what is read stays in its place, and nothing of others is told. */
import { loaded } from './devices.ts'
import { expect, signIn, test } from './fixtures.ts'
import { badge, feed, focused, loadedOf, notes, openNotifications, password, teller } from './notices.ts'

test('new ones come on top: what is read stays where it is, and more goes on where it was', async ({
  page,
  server,
}) => {
  test.slow()
  const { login, device, tell, tellFaults, list } = await teller(server)
  await tellFaults(3)
  await signIn(page, login, password)
  await loaded(page)
  await openNotifications(page)
  await expect(loadedOf(page)).toHaveText(/^12 of 3\d$/)
  // At the top they appear.
  const before = await notes(page).first().getAttribute('data-id')
  await tell('leak')
  await expect(notes(page).first()).not.toHaveAttribute('data-id', before!)
  await expect(notes(page).first()).toContainText('Leak detected')
  await expect(feed(page).locator('..').getByRole('status')).toHaveText(/^\d new notifications?$/)

  await page.keyboard.press('m')
  await expect(loadedOf(page)).toHaveText(/^25 of 3\d$/)
  // Where all are of different heights, and none of that which was thought.
  await page.setViewportSize({ width: 390, height: 844 })
  const read = notes(page).and(page.locator(`[data-id="${(await list())[8]!._id}"]`))
  await page.mouse.move(200, 450)
  await page.mouse.wheel(0, 620)
  await expect.poll(() => feed(page).evaluate(node => node.parentElement!.scrollTop)).toBeGreaterThan(500)
  await expect(read).toBeInViewport()
  const place = await read.boundingBox()
  await tell('pump_failure')
  await tell('no_feed_water')
  const pill = page.getByRole('button', { name: /^↑ [2-9] new/ })
  await expect(pill).toBeVisible()
  expect(Math.abs((await read.boundingBox())!.y - place!.y)).toBeLessThan(1)

  await page.keyboard.press('m')
  await expect(loadedOf(page)).toHaveText(/^3\d of 3\d$|all of them/)
  expect(Math.abs((await read.boundingBox())!.y - place!.y)).toBeLessThan(1)
  await page.setViewportSize({ width: 1440, height: 900 })
  await pill.click()
  await expect(pill).toBeHidden()
  const newest = (await list())[0]!
  await expect(notes(page).first()).toHaveAttribute('data-id', newest._id)
  await expect(focused(page)).toHaveAttribute('data-id', newest._id)
  await expect(badge(page)).toHaveAccessibleName('Notifications')
  await device.leave()
})

test('a vendor is told of its own devices only, by a badge while it is elsewhere', async ({ page, server }) => {
  const own = await teller(server)
  const other = await teller(server)
  await other.tellFaults(1)
  await signIn(page, own.login, password)
  await loaded(page)
  await expect(badge(page)).not.toHaveAccessibleName(/[1-9]\d unseen/)
  await own.tell('leak')
  await expect(badge(page)).toHaveAccessibleName(/^Notifications [12] unseen notifications?$/)
  await page.keyboard.press('Control+b')
  await expect(badge(page)).toHaveAccessibleName(/^Notifications [12] unseen notifications?$/)
  await openNotifications(page)
  await expect(notes(page).filter({ hasText: 'Leak detected' })).toHaveCount(1)
  for (const note of await notes(page).all()) await expect(note).toContainText(own.bssid)
  await expect(badge(page)).toHaveAccessibleName('Notifications')
  await page.reload()
  await expect(notes(page).first()).toBeVisible()
  await expect(page.getByText('Unseen')).toHaveCount(0)
  await own.device.leave()
  await other.device.leave()
})

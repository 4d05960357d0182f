/** Every screen on a phone: nothing is clipped, and every control is large enough for a finger. */
import type { Page } from '@playwright/test'
import { routes, type RouteId } from '../../../src/domain/lists/routes.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { callerFor, newDevices, unique } from '../support/api.ts'
import { makeEvent } from '../support/calendars.ts'
import { controlsOn, type Control } from '../support/controls.ts'
import { messages, panel, palette, selectedCount } from '../support/devices.ts'
import { expect, signIn, signInAt, test, visit } from '../support/fixtures.ts'

const width = 390
/** The minimum target size in CSS pixels. */
const minSize = 40
/** In dense parts, that of WCAG 2.5.8: a smaller target must have a circle of this diameter that meets no other. */
const denseSize = 24

test.use({ viewport: { width, height: 800 }, hasTouch: true, isMobile: true })

const centre = ({ box }: Control) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
const side = ({ box }: Control) => Math.min(box.width, box.height)
const isSmall = (control: Control) => side(control) < denseSize - 0.5

/** Whether the circle around the centre of a control meets another control, or the other's circle if it is small too. */
function isTooClose(one: Control, other: Control): boolean {
  const { x, y } = centre(one)
  const { box } = other
  const aside = Math.max(box.x - x, 0, x - box.x - box.width)
  const above = Math.max(box.y - y, 0, y - box.y - box.height)
  if (Math.hypot(aside, above) < denseSize / 2) return true
  const there = centre(other)
  return isSmall(other) && Math.hypot(there.x - x, there.y - y) < denseSize
}

const contains = ({ box }: Control, { box: inner }: Control) =>
  box.x <= inner.x &&
  box.y <= inner.y &&
  box.x + box.width >= inner.x + inner.width &&
  box.y + box.height >= inner.y + inner.height

/** Returns the controls that are too small or clipped, and whether the page is wider than the screen. */
async function touchProblems(page: Page): Promise<readonly string[]> {
  const controls = (await controlsOn(page)).filter(({ inSight, scrolls, isCell }) => !isCell && (inSight || !scrolls))
  const isTooSmall = (one: Control) =>
    one.isDense
      ? isSmall(one) &&
        controls.some(
          other => other !== one && !contains(other, one) && !contains(one, other) && isTooClose(one, other),
        )
      : side(one) < minSize - 0.5
  const tooSmall = controls.filter(one => one.inSight && !one.inText && isTooSmall(one))
  const clipped = controls.filter(({ box, scrolls }) => !scrolls && (box.x < -0.5 || box.x + box.width > width + 0.5))
  const wider = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('main > *, form, [role=dialog]')].map(one =>
      one.getBoundingClientRect(),
    )
    const right = Math.max(document.documentElement.scrollWidth, ...boxes.map(box => box.right))
    return Math.round(right) - window.innerWidth
  })
  const size = ({ box }: Control) => `${Math.round(box.width)} × ${Math.round(box.height)} at ${Math.round(box.x)}`
  return [
    ...tooSmall.map(one => `${one.name} is too small: ${size(one)}`),
    ...clipped.map(one => `${one.name} is clipped: ${size(one)}`),
    ...(wider > 0 ? [`The page is ${wider} pixels wider than the screen`] : []),
  ]
}

const isFor = (role: Role, id: RouteId) => (routes[id].roles as readonly Role[]).includes(role)
/** The screens to look at: all of the administrator, and those of the others that an administrator sees differently. */
const isSeen: Readonly<Record<Role, (id: RouteId) => boolean>> = {
  admin: id => isFor('admin', id),
  vendor: id => id === 'profile',
  superadmin: id => isFor('superadmin', id) && !isFor('admin', id),
}

for (const role of ['admin', 'vendor', 'superadmin'] as const) {
  test(`on a phone, no control is clipped or too small on the screens of ${role}`, async ({ page, server }) => {
    test.slow()
    if (role === 'admin') {
      const admin = await callerFor(server.url, 'admin')
      const devices = await newDevices(admin, 1)
      const at = (hour: number) => new Date(new Date().setHours(hour, 0, 0, 0)).toISOString()
      await makeEvent(admin, { title: unique('Planned'), start: at(9), end: at(11), devices })
    }
    const ids = (Object.keys(routes) as RouteId[]).filter(isSeen[role])
    await signInAt(page, role, routes[ids[0]!].path)
    const problems: string[] = []
    const look = async (where: string) => {
      for (const problem of await touchProblems(page)) problems.push(`${where}: ${problem}`)
    }
    for (const id of ids) {
      const { path, title } = routes[id]
      await visit(page, path)
      await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeAttached()
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
      await expect(page.getByRole('banner').getByRole('button', { name: 'Account' })).toBeVisible()
      await look(path)
    }
    expect(problems).toEqual([])
  })
}

test('on a phone, no control is clipped or too small in the panel, dialogs, navigation, charts and a device', async ({
  page,
}) => {
  test.slow()
  await signIn(page, 'admin')
  const problems: string[] = []
  const look = async (where: string) => {
    for (const problem of await touchProblems(page)) problems.push(`${where}: ${problem}`)
  }
  const boxes = page.getByRole('grid').getByRole('checkbox', { name: /^Select [0-9A-F]/ })
  await boxes.nth(0).tap()
  await boxes.nth(1).tap()
  await look('two selected')
  for (const name of ['Account', 'More', 'Actions for']) {
    await page.getByRole('button', { name }).first().tap()
    await expect(page.getByRole('menu')).toBeVisible()
    await look(`the menu ${name}`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Toggle side panel' }).tap()
  for (const tab of await panel(page).getByRole('tab').all()) {
    await tab.tap()
    await look(`the panel, ${await tab.innerText()}`)
  }
  await panel(page).getByRole('tab', { name: 'Control' }).tap()
  await panel(page)
    .getByRole('button', { name: /^Reboot/ })
    .tap()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('a preview')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).tap()
  await panel(page).getByRole('button', { name: 'Close the side panel' }).tap()
  await page.getByRole('button', { name: 'Search devices or run commands' }).tap()
  await expect(palette(page).getByRole('option').first()).toBeVisible()
  await look('the palette')
  await palette(page).getByRole('combobox').fill('>all keys')
  await palette(page)
    .getByRole('option', { name: /^Show all keys/ })
    .tap()
  await expect(page.getByRole('dialog', { name: 'All keys' })).toBeVisible()
  await look('all keys')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Toggle side navigation' }).tap()
  await selectedCount(page, 2)
  await look('the navigation')
  await page.getByRole('link', { name: /^Charts/ }).tap()
  await expect(page.getByRole('application').first()).toBeVisible()
  await look('charts of two')
  await visit(page, '/devices/30:AE:A4:04:74:8C')
  await expect(page.getByRole('meter').first()).toBeVisible()
  await look('a device')
  await expect(messages(page)).toBeAttached()
  expect(problems).toEqual([])
})

test.describe('signed out', () => {
  test('on a phone, no control is clipped or too small on the login and recovery screens', async ({ page }) => {
    await page.goto('/login')
    for (const [path, heading] of [
      ['/login', 'Permeate'],
      ['/forgot', 'Forgot password'],
      ['/password/restore/?token=x', 'Restore password'],
      ['/email/confirm/?token=x', 'Confirm email'],
      ['/no/such', 'Not found'],
    ] as const) {
      await visit(page, path)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      // A link of an email shows its controls once the server has answered.
      await expect(page.getByRole('button').or(page.getByRole('link')).first()).toBeVisible()
      expect(await touchProblems(page), path).toEqual([])
    }
  })
})

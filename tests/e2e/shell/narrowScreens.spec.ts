/** Every screen on a phone: nothing is clipped, and every control is large enough for a finger. */
import type { Page } from '@playwright/test'
import { routes, type RouteId } from '../../../src/domain/lists/routes.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { callerFor, newDevices, unique } from '../support/api.ts'
import { makeEvent } from '../support/calendars.ts'
import { controlsOn, type Control } from '../support/controls.ts'
import { messages, panel, palette, selectedCount } from '../support/devices.ts'
import { expect, signIn, signInAt, test, visit } from '../support/fixtures.ts'
import { routesOf, screenShown } from '../support/walk.ts'

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

/** Collects the problems of what is on screen, each with where it is. */
function collectProblems(page: Page) {
  const problems: string[] = []
  return {
    problems,
    async look(where: string) {
      for (const problem of await touchProblems(page)) problems.push(`${where}: ${problem}`)
    },
  }
}

/** Opens screens within the console, and looks at each. */
async function throughScreens(page: Page, ids: readonly RouteId[], look: (where: string) => Promise<void>) {
  for (const id of ids) {
    await visit(page, routes[id].path)
    await screenShown(page, id)
    await look(routes[id].path)
  }
}

test('on a phone, no control is clipped or too small on the screens of admin, in the panel, dialogs, navigation and a device', async ({
  page,
  server,
}) => {
  test.slow()
  const admin = await callerFor(server.url, 'admin')
  const devices = await newDevices(admin, 1)
  const at = (hour: number) => new Date(new Date().setHours(hour, 0, 0, 0)).toISOString()
  await makeEvent(admin, { title: unique('Planned'), start: at(9), end: at(11), devices })
  await signIn(page, 'admin')
  const { problems, look } = collectProblems(page)
  await throughScreens(page, routesOf('admin'), look)
  await visit(page, '/devices')
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

/** The screens of others that an administrator does not see, or sees differently. */
const ofOthers = {
  vendor: ['profile'],
  superadmin: routesOf('superadmin').filter(id => !routesOf('admin').includes(id)),
} as const satisfies Partial<Record<Role, readonly RouteId[]>>

test('on a phone, no control is clipped or too small on the login and recovery screens, and on those of others', async ({
  page,
}) => {
  await test.step('signed out', async () => {
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
  for (const role of ['vendor', 'superadmin'] as const)
    await test.step(role, async () => {
      await signInAt(page, role, routes[ofOthers[role][0]!].path)
      const { problems, look } = collectProblems(page)
      await throughScreens(page, ofOthers[role], look)
      expect(problems).toEqual([])
    })
})

/** On every screen, as every role: behind each control that does something is a command, and keys reach it. */
import type { Page } from '@playwright/test'
import { placeOf, routes, type RouteId } from '../../src/domain/routes.ts'
import type { Role } from '../../src/domain/roles.ts'
import { callerFor, newDevices, unique } from './api.ts'
import { makeEvent } from './calendars.ts'
import { controlsOn, uncovered } from './controls.ts'
import {
  grid,
  loaded,
  messages,
  openPalette,
  palette,
  panel,
  searchFor,
  selectedCount,
  selectionStored,
} from './devices.ts'
import { expect, signIn, test } from './fixtures.ts'

const loginOf = { superadmin: 'superadmin', admin: 'admin', vendor: 'vendor' } as const
const lists: readonly RouteId[] = [
  'devices',
  'models',
  'filtrationSystems',
  'groups',
  'cartridgeTypes',
  'admins',
  'vendors',
  'users',
  'audit',
]
const routesOf = (role: Role) =>
  (Object.keys(routes) as RouteId[]).filter(id => (routes[id].roles as readonly Role[]).includes(role))

/** Goes through screens and notes what is wrong with the controls there. */
function walk(page: Page, role: Role) {
  const wrong: string[] = []
  const look = async (where: string) => {
    for (const problem of await uncovered(page, role, placeOf(new URL(page.url()).pathname)))
      wrong.push(`${where}: ${problem}`)
  }
  return {
    wrong,
    look,
    async open(path: string) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
      // Loaded last of all, after every command.
      await expect(page.getByRole('button', { name: 'Account' })).toBeVisible()
      await look(path)
    },
    /** What the menus at the top offer. */
    async menus(where: string) {
      const outside = page.locator('[aria-haspopup=menu]:not([role=grid] *)').filter({ visible: true })
      for (const button of await outside.all()) {
        await button.click()
        await expect(page.getByRole('menu')).toBeVisible()
        await look(`${where}, a menu`)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('menu')).toHaveCount(0)
      }
    },
    async tabs(where: string) {
      for (const tab of await panel(page).getByRole('tab').all()) {
        await tab.click()
        await look(`${where}, ${await tab.innerText()}`)
      }
    },
  }
}

for (const role of ['superadmin', 'admin', 'vendor'] as const) {
  test(`lists, their panels and menus: ${role}`, async ({ page }) => {
    test.slow()
    await signIn(page, loginOf[role])
    const { wrong, look, open, menus, tabs } = walk(page, role)
    for (const id of routesOf(role).filter(route => lists.includes(route))) {
      const { path } = routes[id]
      await open(path)
      const table = page.getByRole('grid')
      await expect(table).toHaveAttribute('aria-busy', 'false')
      if (id === routesOf(role)[0]) await menus(path)
      if ((await table.getByRole('row').count()) > 1) {
        await page.keyboard.press('j')
        await page.keyboard.press('x')
        await expect(table.getByRole('row', { selected: true })).toHaveCount(1)
        await look(`${path}, a row selected`)
        await table.getByRole('row', { selected: true }).click({ button: 'right' })
        await expect(page.getByRole('menu')).toBeVisible()
        await look(`${path}, the row’s menu`)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('menu')).toHaveCount(0)
      }
      await expect(panel(page)).toBeVisible()
      await tabs(path)
    }
    expect(wrong).toEqual([])
  })
}

for (const role of ['admin', 'vendor'] as const) {
  test(`the other screens: ${role}`, async ({ page, server }) => {
    test.slow()
    const admin = await callerFor(server.url, 'admin')
    const [bssid = ''] = await newDevices(admin, 2)
    const title = unique('Planned')
    const at = (hour: number) => new Date(new Date().setHours(hour, 0, 0, 0)).toISOString()
    await makeEvent(admin, { title, start: at(9), end: at(11), devices: [bssid] })
    await signIn(page, loginOf[role])
    const { wrong, look, open, tabs } = walk(page, role)

    await loaded(page)
    await searchFor(page, bssid, 1)
    await page.keyboard.press('x')
    await selectedCount(page, 1)
    await selectionStored(page)
    for (const id of routesOf(role).filter(route => !lists.includes(route))) {
      const { path } = routes[id]
      await open(path)
    }

    await open(`/devices/${bssid}`)
    await page.keyboard.press('i')
    await tabs('a device')

    await open('/calendar')
    for (const view of ['m', 'w', 'd', 'a']) {
      await page.keyboard.press(view)
      await expect(page.locator('main').getByText(title).first()).toBeVisible()
      await look(`/calendar, ${view}`)
    }
    await page.locator('main').getByText(title).first().click()
    await expect(panel(page).getByRole('heading', { name: title })).toBeVisible()
    await look('/calendar, an event')
    await panel(page).getByRole('tab', { name: 'Create' }).click()
    await look('/calendar, create')

    await open('/charts')
    for (const key of ['m', 'd']) {
      await page.keyboard.press(key)
      await expect(page.getByRole('combobox', { name: 'Chart' })).toBeVisible()
      await look(`/charts, ${key}`)
    }
    await open('/notifications')
    await page.getByRole('button', { name: /types/ }).click()
    await look('/notifications, types')
    await open('/settings')
    await page.getByRole('button', { name: 'Change the keys of Flush', exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await look('/settings, keys of a command')
    await open('/no/such/screen')
    expect(wrong).toEqual([])
  })
}

test('the other screens: superadmin', async ({ page }) => {
  await signIn(page, loginOf.superadmin)
  const { wrong, open } = walk(page, 'superadmin')
  for (const id of routesOf('superadmin').filter(route => !lists.includes(route))) await open(routes[id].path)
  await open('/no/such/screen')
  expect(wrong).toEqual([])
})

test('what lies over the page', async ({ page }) => {
  test.slow()
  await signIn(page, 'admin')
  const { wrong, look } = walk(page, 'admin')
  await loaded(page)
  await page.keyboard.press('j')
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  for (const keys of [
    ['?'],
    ['Control+k'],
    ['s', 'f'],
    ['b'],
    ['Delete'],
    ['h'],
    ['a', 'p'],
    ['g', 'x'],
    ['Control+a', 'f'],
  ]) {
    for (const key of keys) await page.keyboard.press(key)
    await expect(dialog).toBeVisible()
    await look(keys.join(' '))
    while (await dialog.isVisible()) {
      await page.keyboard.press('Escape')
      await expect(dialog.or(grid(page)).first()).toBeVisible()
    }
  }
  await openPalette(page)
  await page.keyboard.type('dark')
  await expect(palette(page).getByRole('option').first()).toBeVisible()
  await look('the palette, searched')
  await page.keyboard.press('Escape')
  await page.route('**/api/v3/devices/flush*', route => route.abort())
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('f')
  await expect(messages(page).getByRole('button', { name: 'Close' }).first()).toBeVisible()
  await look('a message')
  // The jobs are walked where there are some.
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await expect(page).toHaveURL(/\/jobs$/)
  await expect(page.getByRole('main').getByText('Flush').first()).toBeVisible()
  await look('/jobs, with one')
  expect(wrong).toEqual([])
})

test('where the server does not answer', async ({ page }) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await selectedCount(page, 1)
  const { wrong, look } = walk(page, 'admin')
  await page.route(/\/api\/v[34]\/(?!auth)/, route => route.fulfill({ status: 500, json: { message: 'It is down' } }))
  for (const path of ['/devices/models', '/devices/30:AE:A4:04:74:8C', '/calendar', '/charts', '/notifications']) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('button', { name: /Retry/ }).first()).toBeVisible()
    await look(path)
  }
  expect(wrong).toEqual([])
})

test('signed out: keys reach every control', async ({ page }) => {
  for (const path of [
    '/login',
    '/forgot',
    '/password/restore/?token=x',
    '/email/confirm/?token=x',
    '/no/such/screen',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const controls = await controlsOn(page)
    expect(controls.length, path).toBeGreaterThan(0)
    expect(
      controls.filter(({ reached }) => !reached).map(({ name }) => name),
      path,
    ).toEqual([])
  }
})

test('the walk sees a control that has no command, and one that keys do not reach', async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
  await page.evaluate(() => {
    const bare = Object.assign(document.createElement('button'), { textContent: 'Bare' })
    const unreached = Object.assign(document.createElement('button'), { textContent: 'Unreached', tabIndex: -1 })
    unreached.dataset.command = 'calendar.newAt'
    const unknown = Object.assign(document.createElement('button'), { textContent: 'Unknown' })
    unknown.dataset.command = 'no.such'
    document.querySelector('header')?.append(bare, unreached, unknown)
  })
  expect(await uncovered(page, 'admin', 'devices')).toEqual([
    'button “Bare” has no command behind it',
    'button “Unreached” (calendar.newAt) cannot be reached by keys',
    'button “Unknown” names no.such, which is no command',
  ])
})

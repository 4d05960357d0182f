/**
 * On every screen and in every role, each control has a command, can be reached with the keyboard, and has its visible
 * text in its name. Where no other file does, axe checks the screens in both themes.
 */
import type { RouteId } from '../../../src/domain/lists/routes.ts'
import { callerFor, newDevices, unique } from '../support/api.ts'
import { check, start } from '../support/axe.ts'
import { makeEvent } from '../support/calendars.ts'
import { uncoveredControls } from '../support/controls.ts'
import { loaded, panel, searchFor, selectedCount, uploadForm, searchField } from '../support/devices.ts'
import { newFindings } from '../support/findings.ts'
import { expect, signIn, test, visit } from '../support/fixtures.ts'
import { intercept } from '../support/intercept.ts'
import { notes } from '../support/notifications.ts'
import { routesOf, walk } from '../support/walk.ts'

const lists: readonly RouteId[] = [
  'devices',
  'models',
  'filtrationSystems',
  'groups',
  'cartridgeTypes',
  'admins',
  'vendors',
  'users',
  'findings',
  'audit',
]
/**
 * Lists in which what is above the rows, its menus, the choices of fields, and a search without results are inspected: they
 * are the same in all others.
 */
const withMenus: readonly RouteId[] = ['devices', 'models', 'admins']

for (const role of ['superadmin', 'admin', 'vendor'] as const) {
  // The vendor's lists are a part of the administrator's.
  const axe = role !== 'vendor'
  const more = axe ? ', and axe finds nothing' : ''
  test(`every control in the lists of ${role}, with panels and menus, has a command and is reachable by keys${more}`, async ({
    page,
    server,
  }) => {
    test.slow()
    if (role !== 'superadmin') await newFindings(server, 1)
    if (role === 'admin') {
      // The refused call adds a row to the history.
      const admin = await callerFor(server.url, role)
      await admin.status('DELETE', '/api/v3/devices/models', { ids: ['never there'] })
    }
    await start(page, role)
    const { problems, look, open, menus, rowMenu, tabs } = walk(page, role)
    const table = page.getByRole('grid')
    for (const id of routesOf(role).filter(route => lists.includes(route))) {
      await open(id)
      if (withMenus.includes(id)) await menus(id)
      await expect(table.getByRole('row').nth(1), `${id} has a row`).toBeVisible()
      // The devices are checked in a11y.spec.
      if (axe && id !== 'devices') await check(page, id, withMenus.includes(id) ? 'html' : '[role=grid]')
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await expect(table.getByRole('row', { selected: true })).toHaveCount(1)
      await look(`${id}, row selected`)
      await rowMenu(id)
      await tabs(id, { axe: axe && id !== 'devices', choices: withMenus.includes(id) && role !== 'vendor' })
      if (id === 'admins') {
        await page.keyboard.press('s')
        await page.keyboard.press('p')
        await expect(page.getByRole('combobox', { name: 'New password' })).toBeFocused()
        await check(page, 'a page for a password', '[role=dialog]')
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
      if (!withMenus.includes(id)) continue
      await page.keyboard.press('/')
      await expect(searchField(page)).toBeFocused()
      await page.keyboard.insertText('no such thing')
      await expect(table).toHaveAttribute('aria-rowcount', '0')
      await expect(table.getByRole('button', { name: /search/ })).toBeVisible()
      await look(`${id}, nothing found`)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
    }
    // A superadmin's other screens need no data.
    if (role === 'superadmin') {
      for (const id of routesOf(role).filter(route => !lists.includes(route))) await open(id)
      await visit(page, '/no/such/screen')
      await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible()
      await look('an unknown screen')
    }
    expect(problems).toEqual([])
  })
}

for (const role of ['admin', 'vendor'] as const) {
  test(`every control on the other screens of ${role} has a command and is reachable by keys`, async ({
    page,
    server,
  }) => {
    test.slow()
    const admin = await callerFor(server.url, 'admin')
    const [bssid = ''] = await newDevices(admin, 2)
    const title = unique('Planned')
    const at = (hour: number, minute = 0) => new Date(new Date().setHours(hour, minute, 0, 0)).toISOString()
    await makeEvent(admin, { title, start: at(9), end: at(11), devices: [bssid] })
    // The library draws short events on one line.
    await makeEvent(admin, { title: unique('Short'), start: at(12), end: at(12, 15), devices: [bssid] })
    await signIn(page, role)
    const { problems, look, open, menus, tabs } = walk(page, role)
    // What these keys and comboboxes show is the same for a vendor.
    const further = role === 'admin'

    await loaded(page)
    await searchFor(page, bssid, 1)
    await page.keyboard.press('x')
    await selectedCount(page, 1)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: bssid })).toBeAttached()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    await look('a device')
    await tabs('a device', { choices: further })

    for (const id of routesOf(role).filter(route => !lists.includes(route))) {
      await open(id)
      await menus(id)
      if (id === 'calendar') {
        const event = page.locator('main').getByText(title).first()
        for (const view of further ? ['m', 'w', 'd', 'a'] : ['a']) {
          await page.keyboard.press(view)
          await expect(event).toBeVisible()
          await look(`the calendar, ${view}`)
        }
        await event.click()
        await expect(panel(page).getByRole('heading', { name: title })).toBeVisible()
        await tabs('an event', { choices: further })
      }
      if (id === 'charts' && further)
        for (const key of ['m', 'd']) {
          await page.keyboard.press(key)
          await expect(page.getByRole('combobox', { name: 'Chart' })).toBeVisible()
          await look(`charts, ${key}`)
        }
      if (id === 'overview') {
        await expect(page.getByRole('img', { name: /^Alarms by day/ })).toBeVisible()
        await look('the overview, bars of alarms')
      }
      if (id === 'overview' && further) {
        await page.keyboard.press('d')
        await expect(page.getByRole('table', { name: 'Alarms by day' })).toBeVisible()
        await look('the overview, table of alarms')
        await page.keyboard.press('d')
      }
      if (id === 'notifications' && further) {
        await expect(notes(page).first()).toBeVisible()
        await page.getByRole('button', { name: /types/ }).click()
        await look('notifications, types')
        await page.keyboard.press('Escape')
      }
      if (id === 'profile' && role === 'vendor') {
        const passwords = page.getByRole('form', { name: 'Change password' })
        await passwords.getByRole('button', { name: 'Change password' }).click()
        await expect(passwords.getByRole('alert').first()).toBeVisible()
        await check(page, 'profile with messages')
      }
      if (id === 'settings' && further) {
        await page.getByRole('button', { name: 'Change the keys of Flush', exact: true }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
        await look('settings, keys of a command')
        await page.keyboard.press('x')
        await look('settings, keys that another command has')
        await page.keyboard.press('Escape')
      }
    }
    await visit(page, '/no/such/screen')
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible()
    await look('an unknown screen')
    expect(problems).toEqual([])
  })
}

test('every control shown when the server fails has a command and is reachable by keys', async ({ page }) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await selectedCount(page, 1)
  const { problems, look } = walk(page, 'admin')
  await intercept(page, /\/api\/v[34]\/(?!auth)/, route =>
    route.fulfill({ status: 500, json: { message: 'It is down' } }),
  )
  for (const [path, heading] of [
    ['/devices/models', 'Device models'],
    ['/devices/30:AE:A4:04:74:8C', '30:AE:A4:04:74:8C'],
    ['/calendar', 'Calendar'],
    ['/charts', 'Charts'],
    ['/notifications', 'Notifications'],
  ] as const) {
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeAttached()
    await expect(page.getByRole('main').getByRole('button', { name: /Retry/ }).first()).toBeVisible()
    await look(path)
  }
  expect(problems).toEqual([])
})

test('the walk reports refused calls, and controls without a command, out of reach of keys or misnamed, also in a form and in a dialog', async ({
  page,
}) => {
  await signIn(page, 'admin')
  await loaded(page)
  const { problems, open } = walk(page, 'admin')
  await page.evaluate(async () => (await fetch('/api/v3/admins')).text())
  await open('models')
  expect(problems).toEqual([expect.stringMatching(/\/api\/v3\/admins was refused$/)])
  await open('devices')
  expect(problems).toHaveLength(1)
  type Planted = { name: string; command?: string; tabIndex?: number; kind?: string; label?: string }
  const append = (to: string, ...buttons: Planted[]) =>
    page.evaluate(
      ([selector, all]) => {
        for (const { name, command, tabIndex = 0, kind = 'button', label } of all) {
          const button = Object.assign(document.createElement('button'), { textContent: name, tabIndex })
          button.setAttribute('type', kind)
          if (command) button.dataset.command = command
          if (label) button.setAttribute('aria-label', label)
          document.querySelector(selector)!.append(button)
        }
      },
      [to, buttons] as const,
    )
  await append(
    'header',
    { name: 'Bare' },
    { name: 'Unreached', command: 'calendar.newAt', tabIndex: -1 },
    { name: 'Unknown', command: 'no.such' },
    { name: 'Misnamed', command: 'view.theme', label: 'Theme' },
  )
  expect(await uncoveredControls(page, 'admin', 'devices')).toEqual([
    'button “Bare” has no command behind it',
    'button “Unreached” (calendar.newAt) cannot be reached by keys',
    'button “Unknown” names no.such, which is no command',
    'button “Theme”: “misnamed” is not in its name “theme”',
  ])
  await page
    .locator('header')
    .getByRole('button', { name: /^(Bare|Unreached|Unknown|Theme)$/ })
    .evaluateAll(all => {
      for (const button of all) button.remove()
    })

  // Only the first submit button of a form is part of it; a second one and other buttons are not.
  await page.keyboard.press('c')
  await expect(uploadForm(page)).toBeVisible()
  await append('aside form[data-command]', { name: 'Stray' }, { name: 'Second', kind: 'submit' })
  expect(await uncoveredControls(page, 'admin', 'devices')).toEqual([
    'button “Stray” has no command behind it',
    'button “Second” has no command behind it',
  ])
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  // The palette, in which the command could be found, does not open over a dialog.
  await append(
    '[role=dialog] h2',
    { name: 'In a dialog' },
    { name: 'Out of reach', command: 'view.theme', tabIndex: -1 },
  )
  expect((await uncoveredControls(page, 'admin', 'devices')).filter(problem => !/Stray|Second/.test(problem))).toEqual([
    'button “In a dialog” has no command behind it',
    'button “Out of reach” (view.theme) cannot be reached by keys',
  ])
})

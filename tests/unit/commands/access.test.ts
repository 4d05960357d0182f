// @vitest-environment jsdom
/** Menu, routes, commands and calls agree for the four roles, held against the specification's sections 2 and 6. */
import { describe, expect, test } from 'vitest'
import { resources, endpoints } from '../../../src/api/contract/endpoints.ts'
import { listEndpoints } from '../../../src/api/lists.ts'
import type { Context } from '../../../src/commands/core/context.ts'
import { commandOf, commands } from '../../../src/commands/core/registry.ts'
import { accountRoles, type AccountRole, type Role } from '../../../src/domain/roles.ts'
import type { Route } from '../../../src/domain/lists/route.ts'
import { homeOf, routes, type RouteId } from '../../../src/domain/lists/routes.ts'
import { entities } from '../../../src/store/lists.ts'
import '../support/allCommands.ts'

/** The specification's route table; the history and the jobs are additions of this product. */
const table: Readonly<Record<string, readonly AccountRole[]>> = {
  '/profile': ['superadmin', 'admin', 'vendor'],
  '/admins': ['superadmin'],
  '/filtration-systems': ['admin'],
  '/filtration-system-groups': ['admin'],
  '/cartridge-types': ['admin'],
  '/vendors': ['admin'],
  '/users': ['admin'],
  '/devices': ['admin', 'vendor'],
  '/devices/models': ['admin', 'vendor'],
  '/calendar': ['admin', 'vendor'],
  '/charts': ['admin', 'vendor'],
  '/notifications': ['admin', 'vendor'],
  '/settings': ['admin', 'vendor'],
  '/history': ['admin'],
  '/jobs': ['superadmin', 'admin', 'vendor'],
}
/** What the side navigation lists for whom. */
const menu: Readonly<Partial<Record<AccountRole, readonly string[]>>> = {
  superadmin: ['/admins'],
  vendor: ['/devices', '/devices/models', '/charts', '/notifications'],
}

const all = Object.entries(routes) as [RouteId, Route][]
const lets = (roles: readonly Role[] | 'public', role: AccountRole) =>
  roles !== 'public' && roles.some(one => one === role)
const at = (role: Role): Context => ({ role, path: '/elsewhere', list: undefined, targets: () => [], last: undefined })

test('the routes are those of the specification', () => {
  expect(Object.fromEntries(all.map(([, { path, roles }]) => [path, roles]))).toEqual(table)
})

describe.each(accountRoles)('%s', role => {
  test('is shown the way to what it may see, and to nothing else', () => {
    for (const [id, { path, roles }] of all) {
      const may = table[path]!.includes(role)
      expect(lets(roles, role), path).toBe(may)
      const offered = commandOf(`go.${id}`).roles.some(one => one === role)
      // The profile is not offered to superadmins, who may open it by its address.
      expect(offered, `the palette’s way to ${path}`).toBe(may && !(role === 'superadmin' && path === '/profile'))
    }
  })

  test('has the menu of the specification, each entry of which it may see', () => {
    const listed = all
      .filter(([, { section, roles, listedFor }]) => section !== undefined && lets(listedFor ?? roles, role))
      .map(([, { path }]) => path)
    for (const path of listed) expect(table[path]).toContain(role)
    const expected = role === 'admin' ? Object.keys(table).filter(path => inMenu(path)) : (menu[role] ?? [])
    expect(listed.toSorted()).toEqual([...expected].toSorted())
  })

  test('may call what its screens are made of', () => {
    for (const entity of entities) {
      const screen = routes[entity].path
      if (table[screen]!.includes(role)) expect(lets(listEndpoints[entity].roles, role), screen).toBe(true)
    }
  })

  test('is offered only commands whose call lets it in, on screens that it may see', () => {
    for (const command of commands) {
      const offered = command.roles.some(one => one === role)
      if (command.endpoint) expect(offered, command.id).toBe(lets(command.endpoint.roles, role))
      if (offered && command.entity) expect(table[routes[command.entity].path], command.id).toContain(role)
    }
  })
})

const inMenu = (path: string) => !['/admins', '/profile', '/settings', '/history', '/jobs'].includes(path)

test('a superadmin manages administrators, and that is all', () => {
  const calls = endpoints
    .filter(({ roles }) => lets(roles, 'superadmin'))
    .map(({ method, path }) => `${method} ${path}`)
  expect(calls.toSorted()).toEqual([
    'DELETE /api/v3/admins',
    'GET /api/v3/admins',
    'PATCH /api/v3/admins/{id}/change-password',
    'PATCH /api/v3/admins/{id}/change-status',
    'POST /api/v3/admins',
    'POST /api/v3/auth/logout',
    'PUT /api/v3/admins/change-status',
  ])
  expect(homeOf('superadmin')).toBe('/admins')
})

test('the role user has no screen, no command and no call', () => {
  expect(endpoints.filter(({ roles }) => lets(roles, 'user'))).toEqual([])
  expect(commands.filter(({ roles }) => roles.some(role => (role as string) === 'user'))).toEqual([])
})

test('whoever is not signed in is offered nothing', () => {
  const nobody: Context = { ...at('admin'), role: undefined }
  expect(commands.filter(command => command.availability(nobody).is !== 'hidden')).toEqual([])
})

/** Those of this console’s screens; events and notifications have theirs elsewhere. */
const { admins, vendors, users, models, filtrationSystems, filtrationSystemGroups, cartridgeTypes } = resources
const managed = [admins, vendors, users, models, filtrationSystems, filtrationSystemGroups, cartridgeTypes].flatMap(
  resource => Object.values(resource),
)
/** On one account, where commands make the same call on many. */
const ofOne = [admins.changeStatus, vendors.changeStatus, users.changeStatus, users.delete]
test.each(
  managed
    .filter(endpoint => endpoint.method !== 'GET' && !ofOne.some(one => one === endpoint))
    .map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s can be given by a command', (_, endpoint) => {
  const given = commands.filter(command => command.endpoint === endpoint)
  expect(given.length).toBeGreaterThan(0)
  for (const role of ['superadmin', 'admin', 'vendor'] as const)
    expect(given.some(command => command.availability(at(role)).is !== 'hidden')).toBe(lets(endpoint.roles, role))
})

test('groups and cartridge types are not deleted, users not created: there is no call, so there is no command', () => {
  const verbs = (entity: string) =>
    commands.filter(command => command.entity === entity).map(({ id }) => id.split('.')[1] ?? '')
  expect(verbs('groups').toSorted()).toEqual(['edit', 'upload'])
  expect(verbs('cartridgeTypes').toSorted()).toEqual(['edit', 'upload'])
  expect(verbs('users').toSorted()).toEqual(['block', 'delete', 'unblock'])
  expect(verbs('audit')).toEqual([])
})

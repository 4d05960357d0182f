// @vitest-environment jsdom
/** Menu, routes, commands and endpoints agree for the four roles, as in sections 2 and 6 of the specification. */
import { describe, expect, test } from 'vitest'
import { resources, endpoints } from '../../../src/api/contract/all/endpoints.ts'
import { listEndpoints } from '../../../src/api/contract/all/lists.ts'
import type { Context } from '../../../src/commands/core/context.ts'
import { commandOf, commands } from '../../../src/commands/core/registry.ts'
import { defaultKeysOf } from '../../../src/commands/keys/bindings.ts'
import { accountRoles, type AccountRole, type Role } from '../../../src/domain/roles.ts'
import type { Route } from '../../../src/domain/lists/route.ts'
import { homePath, routes, type RouteId } from '../../../src/domain/lists/routes.ts'
import { entities } from '../../../src/store/lists.ts'
import '../support/allCommands.ts'

/** The route table of the specification, with health, the history, the jobs, the scripts and the servers as additions. */
const rolesByPath: Readonly<Record<string, readonly AccountRole[]>> = {
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
  '/overview': ['admin', 'vendor'],
  '/findings': ['admin', 'vendor'],
  '/history': ['admin'],
  '/servers': ['superadmin'],
  '/jobs': ['superadmin', 'admin', 'vendor'],
  '/scripts': ['superadmin', 'admin', 'vendor'],
}
/** The key that opens each screen after `g`. */
const keyByPath: Readonly<Record<string, string>> = {
  '/profile': 'p',
  '/admins': 'a',
  '/filtration-systems': 'f',
  '/filtration-system-groups': 'r',
  '/cartridge-types': 't',
  '/vendors': 'v',
  '/users': 'u',
  '/devices': 'd',
  '/devices/models': 'm',
  '/calendar': 'e',
  '/charts': 'c',
  '/notifications': 'n',
  '/settings': 's',
  '/overview': 'o',
  '/findings': 'i',
  '/history': 'h',
  '/servers': 'w',
  '/jobs': 'j',
  '/scripts': 'x',
}
/** The paths in the side navigation by role: those of the specification, then the additions. */
const menu: Readonly<Partial<Record<AccountRole, readonly string[]>>> = {
  superadmin: ['/admins', '/jobs', '/scripts', '/servers'],
  vendor: ['/devices', '/devices/models', '/charts', '/notifications', '/overview', '/findings', '/jobs', '/scripts'],
}

/** Commands that are for fewer roles than their endpoint. */
const narrower: Readonly<Record<string, readonly Role[]>> = { 'apiKeys.createForVendor': ['admin'] }

const all = Object.entries(routes) as [RouteId, Route][]
const allows = (roles: readonly Role[] | 'public', role: AccountRole) =>
  roles !== 'public' && roles.some(one => one === role)
const at = (role: Role): Context => ({ role, path: '/elsewhere', list: undefined, targets: () => [], last: undefined })

test('the routes are those of the specification', () => {
  expect(Object.fromEntries(all.map(([, { path, roles }]) => [path, roles]))).toEqual(rolesByPath)
})

test('each screen is opened by g and a key of its own', () => {
  const keys = Object.fromEntries(all.map(([id, { path }]) => [path, defaultKeysOf(commandOf(`go.${id}`))]))
  expect(keys).toEqual(Object.fromEntries(Object.entries(keyByPath).map(([path, key]) => [path, [`g ${key}`]])))
})

describe.each(accountRoles)('%s', role => {
  test('can navigate to exactly the screens that it may see', () => {
    for (const [id, { path, roles }] of all) {
      const allowed = rolesByPath[path]!.includes(role)
      expect(allows(roles, role), path).toBe(allowed)
      const offered = commandOf(`go.${id}`).roles.some(one => one === role)
      expect(offered, `the palette’s way to ${path}`).toBe(allowed)
    }
  })

  test('has the menu of the specification, with only screens that it may see', () => {
    const listed = all
      .filter(([, { section, roles, listedFor }]) => section !== undefined && allows(listedFor ?? roles, role))
      .map(([, { path }]) => path)
    for (const path of listed) expect(rolesByPath[path]).toContain(role)
    const expected = role === 'admin' ? Object.keys(rolesByPath).filter(path => inMenu(path)) : (menu[role] ?? [])
    expect(listed.toSorted()).toEqual([...expected].toSorted())
  })

  test('may call the list endpoints of its screens', () => {
    for (const entity of entities) {
      const screen = routes[entity].path
      if (rolesByPath[screen]!.includes(role)) expect(allows(listEndpoints[entity].roles, role), screen).toBe(true)
    }
  })

  test('is offered only commands whose endpoint and screen it may use', () => {
    for (const command of commands) {
      const offered = command.roles.some(one => one === role)
      if (command.endpoint)
        expect(offered, command.id).toBe(allows(narrower[command.id] ?? command.endpoint.roles, role))
      if (offered && command.entity) expect(rolesByPath[routes[command.entity].path], command.id).toContain(role)
    }
  })
})

const inMenu = (path: string) => !['/admins', '/profile', '/settings', '/servers'].includes(path)

test('a superadmin manages administrators, its own sessions, keys and second factor, sees the servers, and nothing else', () => {
  const calls = endpoints
    .filter(({ roles }) => allows(roles, 'superadmin'))
    .map(({ method, path }) => `${method} ${path}`)
  expect(calls.toSorted()).toEqual([
    'DELETE /api/v3/admins',
    'DELETE /api/v3/admins/{id}/second-factor',
    'DELETE /api/v3/auth/keys/{id}',
    'DELETE /api/v3/auth/passkeys/{id}',
    'DELETE /api/v3/auth/second-factor',
    'DELETE /api/v3/auth/sessions',
    'DELETE /api/v3/auth/sessions/{id}',
    'GET /api/v3/admins',
    'GET /api/v3/auth/keys',
    'GET /api/v3/auth/passkeys',
    'GET /api/v3/auth/second-factor',
    'GET /api/v3/auth/sessions',
    'GET /api/v3/servers',
    'PATCH /api/v3/admins/{id}/change-password',
    'PATCH /api/v3/admins/{id}/change-status',
    'POST /api/v3/admins',
    'POST /api/v3/auth/keys',
    'POST /api/v3/auth/logout',
    'POST /api/v3/auth/passkeys',
    'POST /api/v3/auth/passkeys/options',
    'POST /api/v3/auth/passkeys/proof/options',
    'POST /api/v3/auth/second-factor',
    'POST /api/v3/auth/second-factor/confirm',
    'POST /api/v3/auth/second-factor/recovery-codes',
    'POST /api/v3/auth/second-factor/replacement',
    'POST /api/v3/auth/second-factor/replacement/confirm',
    'PUT /api/v3/admins/change-status',
  ])
  expect(homePath('superadmin')).toBe('/admins')
})

test('the role user has no endpoint and no command', () => {
  expect(endpoints.filter(({ roles }) => allows(roles, 'user'))).toEqual([])
  expect(commands.filter(({ roles }) => roles.some(role => (role as string) === 'user'))).toEqual([])
})

test('a person who is not signed in is offered no command', () => {
  const nobody: Context = { ...at('admin'), role: undefined }
  expect(commands.filter(command => command.availability(nobody).is !== 'hidden')).toEqual([])
})

/** The endpoints of the list screens; events and notifications have their own commands. */
const { admins, vendors, users, models, filtrationSystems, filtrationSystemGroups, cartridgeTypes } = resources
const managed = [admins, vendors, users, models, filtrationSystems, filtrationSystemGroups, cartridgeTypes].flatMap(
  resource => Object.values(resource),
)
/** Endpoints for one account, for which commands use the bulk endpoint. */
const ofOne = [admins.changeStatus, vendors.changeStatus, users.changeStatus, users.delete]
test.each(
  managed
    .filter(endpoint => endpoint.method !== 'GET' && !ofOne.some(one => one === endpoint))
    .map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s is used by a command', (_, endpoint) => {
  const given = commands.filter(command => command.endpoint === endpoint)
  expect(given.length).toBeGreaterThan(0)
  for (const role of ['superadmin', 'admin', 'vendor'] as const)
    expect(given.some(command => command.availability(at(role)).is !== 'hidden')).toBe(allows(endpoint.roles, role))
})

test('there are no commands to delete groups or cartridge types or to create users, which have no endpoint', () => {
  const verbs = (entity: string) =>
    commands.filter(command => command.entity === entity).map(({ id }) => id.split('.')[1] ?? '')
  expect(verbs('groups').toSorted()).toEqual(['edit', 'upload'])
  expect(verbs('cartridgeTypes').toSorted()).toEqual(['edit', 'upload'])
  expect(verbs('users').toSorted()).toEqual(['block', 'delete', 'unblock'])
  expect(verbs('audit')).toEqual([])
})

/** How many rows the commands of each list need, and the reason that the key, the palette and the form give otherwise. */
import { afterEach, expect, test } from 'vitest'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { clearSelections, selections, type AnyItem } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'

afterEach(() => {
  clearSelections()
  clearSession()
})

/** Returns the reason why a command does not run on these rows of its list; a device is given by its vendor. */
function reasonFor(id: CommandId, rows: readonly string[]) {
  const command = commandOf(id)
  const [userRole = 'admin'] = command.roles
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole, login: 'someone' })
  const items = rows.map((vendor, at) => ({ id: `${at}`, name: `${at}`, row: { _id: `${at}` }, vendor, status: 0 }))
  clearSelections()
  selections[command.entity!].replace(items as unknown as readonly AnyItem[], ['page 1'])
  const availability = command.availability(currentContext())
  return availability.is === 'blocked' ? availability.reason : undefined
}

test.each<[CommandId, string]>([
  ['vendors.edit', 'Please select single account'],
  ['vendors.changePassword', 'Please select single account'],
  ['admins.changePassword', 'Please select single account'],
  ['models.edit', 'Please select one model'],
  ['filtrationSystems.edit', 'Please select one entity'],
  ['groups.edit', 'Please select one entity'],
  ['cartridgeTypes.edit', 'Please select one entity'],
])('%s needs exactly one row', (id, reason) => {
  expect(reasonFor(id, [])).toBe(reason)
  expect(reasonFor(id, ['v'])).toBeUndefined()
  expect(reasonFor(id, ['v', 'v'])).toBe(reason)
})

test.each<[CommandId, string]>([
  ['admins.block', 'At least one account must be selected'],
  ['users.block', 'At least one account must be selected'],
  ['vendors.block', 'At least one vendor must be selected'],
  ['models.delete', 'At least one model must be selected'],
  ['filtrationSystems.delete', 'At least one filtration system must be selected'],
  ['filtrationSystems.assign', 'At least one filtration system must be selected'],
  ['device.model', 'At least one device must be selected'],
])('%s needs at least one row', (id, reason) => {
  expect(reasonFor(id, [])).toBe(reason)
  expect(reasonFor(id, ['v', 'v'])).toBeUndefined()
})

test('a filtration system is for devices of one vendor', () => {
  const reason = 'Please select devices from the same vendor'
  expect(reasonFor('device.filtrationSystem', ['v', 'v'])).toBeUndefined()
  expect(reasonFor('device.filtrationSystem', ['v', 'w'])).toBe(reason)
})

/** Copying the ids of devices. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { parsePastedIds } from '../../../../src/domain/bssidList.ts'
import { clearSelections, selections } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { bssidOf } from '../../support/fleet.ts'
import '../../support/allCommands.ts'

const copy = vi.fn<Services['copy']>()
const run = () =>
  commandOf('device.copyIds')
    .prepare(currentContext(), {})
    .run({ copy } as unknown as Services)

beforeEach(() => setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u1', userRole: 'vendor', login: 'vendor' }))
afterEach(() => {
  clearSelections()
  clearSession()
  copy.mockReset()
})

test('the ids of the selected devices are lines, which can be pasted to select them again', async () => {
  selections.devices.replace(
    [3, 1, 2].map(at => ({
      id: bssidOf(at),
      name: bssidOf(at),
      vendor: 'v',
      company: 'Acme',
      status: 0,
      platform: 'esp32',
    })),
    [],
  )
  expect(await run()).toBe('Copied the IDs of 3 devices')
  const [text] = copy.mock.calls[0]!
  expect(text.split('\n')).toHaveLength(3)
  expect(parsePastedIds(text).ids.toSorted()).toEqual([1, 2, 3].map(at => bssidOf(at)).toSorted())
})

test('without a device it is blocked', () => {
  expect(commandOf('device.copyIds').availability(currentContext())).toMatchObject({ is: 'blocked' })
})

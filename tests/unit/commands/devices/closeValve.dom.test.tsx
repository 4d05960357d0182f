/** Closing valves without a choice: what it asks, what it sends, what it says afterwards, and what undoes it. */
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '../../../../src/api/client.ts'
import type { Context, Targets } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { DeviceItem } from '../../../../src/store/selection.ts'

const targets = ['A', 'B'].map((id): DeviceItem => ({
  id,
  name: id,
  vendor: 'v',
  company: 'C',
  status: 0,
  platform: 'esp32',
}))
const context: Context = {
  role: 'vendor',
  path: '/devices',
  list: undefined,
  targets: ((entity: string) => (entity === 'devices' ? targets : [])) as Targets,
  last: undefined,
}
afterEach(() => void vi.unstubAllGlobals())

test('it closes the valves of all targets with one call', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    sent.push([method, path, JSON.parse(body as string)])
    return new Response(JSON.stringify({ data: { count: 2, total: 2, failed: [] } }))
  })
  const command = commandOf('device.closeValve')
  const { question, operation, done } = command.prepare(context, {})
  expect(question?.title).toBe('Close the valve of 2 devices?')
  const ids = targets.map(({ id }) => id)
  expect(await operation?.send?.(ids, { call, preview: false })).toMatchObject({ count: 2, failed: [] })
  expect(sent).toEqual([['PUT', '/api/v3/devices/valve', { ids, valve_closed: true }]])
  expect(done({ done: ids, failed: [] })).toBe('Closed the valves of 2 of 2 devices')
  expect(command.undo?.({ valve_closed: false })).toEqual({ id: 'device.valve', input: { valve_closed: false } })
})

/** The row menu acts on the targets in its heading: the row, or the selection if it contains the row. */
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RowMenu } from '../../../../../src/commands/surfaces/buttons/menus.tsx'
import { executor } from '../../../../../src/commands/surfaces/host/host.ts'
import { openRowMenu, rowMenu } from '../../../../../src/store/rowMenu.ts'
import { setExecutor } from '../../../../../src/commands/surfaces/run/run.ts'
import { overlay } from '../../../../../src/store/overlays.ts'
import { selections, type DeviceItem } from '../../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import { until } from '../../../../support/until.ts'

const device = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
const [one, two, other] = ['30:AE:A4:00:00:01', '30:AE:A4:00:00:02', '30:AE:A4:00:00:03'].map(device) as [
  DeviceItem,
  DeviceItem,
  DeviceItem,
]
let bodies: unknown[]

beforeEach(() => {
  window.history.replaceState(undefined, '', '/devices')
  setExecutor(executor)
  bodies = []
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  selections.devices.replace([one, two], [])
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      unobserve = () => undefined
      disconnect = () => undefined
    },
  )
  vi.stubGlobal('fetch', (_: string, options: RequestInit) => {
    bodies.push(JSON.parse(options.body as string))
    return Promise.resolve(new Response(JSON.stringify({ data: { count: 1, total: 1, failed: [] } })))
  })
})
afterEach(() => {
  cleanup()
  rowMenu.at = undefined
  overlay.preview = undefined
  selections.devices.clear()
  vi.unstubAllGlobals()
  clearSession()
})

async function open(on: DeviceItem) {
  render(<RowMenu />)
  openRowMenu({ x: 5, y: 5 }, 'devices', on)
  return screen.findByRole('menu')
}
const entry = (name: RegExp) => screen.getByRole('menuitem', { name })

test('the menu of an unselected row acts on that row and keeps the selection', async () => {
  await open(other)
  expect(screen.getByRole('group', { name: other.name })).toBeTruthy()
  // Share needs exactly one device.
  expect(entry(/^Share/).getAttribute('aria-disabled')).toBeNull()
  await userEvent.click(entry(/^Flush/))
  await until(() => expect(bodies).toEqual([{ ids: [other.id] }]))
  expect(selections.devices.items()).toEqual([one, two])
})

test('the menu of a selected row acts on the selection', async () => {
  await open(two)
  expect(screen.getByRole('group', { name: '2 devices' })).toBeTruthy()
  expect(entry(/^Share/).getAttribute('aria-disabled')).toBe('true')
  expect(entry(/^Share/).title).not.toBe('')
  await userEvent.click(entry(/^Flush/))
  await until(() => expect(overlay.preview).toBeDefined())
  expect(bodies).toEqual([])
})

test('the menu of a row outside a followed search acts on that row', async () => {
  selections.devices.follow({ search: 'A9', column: undefined, operator: 'co' }, 300)
  await open(other)
  expect(screen.getByRole('group', { name: other.name })).toBeTruthy()
})

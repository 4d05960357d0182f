/** Commands of the device screen: previous and next device, and back to the list. */
import { deviceRoles } from '../../domain/roles.ts'
import { bssidInPath, routes } from '../../domain/lists/routes.ts'
import { focus } from '../../store/focus.ts'
import { closePanelDrawer } from '../../store/layout.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'
import { hasNeighbour, neighboursOf, stepFrom } from './neighbours.ts'
import { nothing } from '../core/needs.ts'

const neighbourNeeds =
  (by: 1 | -1): Needs<string> =>
  ({ path }) => {
    const bssid = bssidInPath(path)
    const neighbours = bssid && neighboursOf(bssid)
    if (!bssid) return { blocked: 'Open a device first' }
    if (!neighbours) return { blocked: 'This device is not on the last shown page of the list' }
    if (!hasNeighbour(neighbours, by))
      return { blocked: by > 0 ? 'This is the last device' : 'This is the first device' }
    return { target: bssid }
  }

const stepCommand = (by: 1 | -1) =>
  ({
    group: 'go',
    on: ['deviceSteps', 'status'],
    roles: deviceRoles,
    screen: 'device',
    needs: neighbourNeeds(by),
  }) as const

export const deviceScreenCommands = [
  defineCommand({
    ...stepCommand(-1),
    id: 'device.previous',
    title: 'Previous device',
    icon: 'left',
    keys: '[',
    short: 'previous',
    run: async (bssid, _, { go }) => {
      const id = await stepFrom(bssid, -1)
      if (id) go(`/devices/${id}`, { replace: true })
    },
  }),
  defineCommand({
    ...stepCommand(1),
    id: 'device.next',
    title: 'Next device',
    icon: 'right',
    keys: ']',
    short: 'next',
    run: async (bssid, _, { go }) => {
      const id = await stepFrom(bssid, 1)
      if (id) go(`/devices/${id}`, { replace: true })
    },
  }),
  defineCommand({
    id: 'device.back',
    title: 'Back to list',
    group: 'go',
    icon: 'left',
    keys: 'Escape',
    keywords: ['all devices', 'close'],
    on: ['deviceHead', 'status'],
    short: 'back',
    roles: deviceRoles,
    screen: 'device',
    needs: nothing,
    run(_target, _args, { go }) {
      // An open drawer covers the page and is closed first.
      if (closePanelDrawer()) return
      focus.devices.focusOnReturn = true
      go(routes.devices.path)
    },
  }),
]

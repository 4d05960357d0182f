/** Commands of the notifications screen: filter, move, and act on the focused notification. */
import * as z from 'zod/mini'
import { devices } from '../../api/contract/devices.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { selections } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices } from '../core/types.ts'
import { moveCommands, rowMoves } from '../core/moveCommands.ts'
import { chosenDevice } from '../core/targetNeeds.ts'
import { onScreen, unless, when, whenFound } from '../core/screenNeeds.ts'
import { isAtEnd, moveBy } from './focus.ts'

const loadActions = () => import('./actions.ts')

const onNotifications = onScreen('notifications')
const onScreenWhen = (test: () => boolean, reason: string) => when(onNotifications, test, reason)
const whenFocused = whenFound(onNotifications, () => notificationsView.focused, 'Move to a notification first')
const whenSingleFocused = unless(whenFocused, ({ notification: { type, incident } }) =>
  type === 'supply'
    ? 'A change of a water supply is about no single device'
    : incident
      ? 'Open the incident and move to one of its notifications'
      : undefined,
)

function openLabel(): string {
  const focused = notificationsView.focused?.notification
  if (focused?.type === 'supply') return 'Open devices of water supply'
  return focused?.incident ? 'Open or close incident' : 'Open device of notification'
}

const allLoaded = () => notificationsView.count !== undefined && notificationsView.loaded >= notificationsView.count

const screenCommand = { group: 'insight', screen: 'notifications', roles: deviceRoles, needs: onNotifications } as const
const focusedCommand = { ...screenCommand, on: ['status'], needs: whenFocused } as const

const moves = rowMoves({
  down: 'Next notification',
  up: 'Previous notification',
  first: 'First notification',
  last: 'Last loaded notification',
  pageDown: 'Ten notifications down',
  pageUp: 'Ten notifications up',
})
const whenListed = {
  ...screenCommand,
  needs: onScreenWhen(() => notificationsView.loaded > 0, 'The list is empty'),
} as const

/** Returns the notification types whose text contains the query. */
const typeChoices: Choices = (_context, query) =>
  Object.entries(notificationDefinitions)
    .map(([value, { text }]) => ({
      value,
      name: text,
      detail: notificationsView.hidden.includes(value) ? 'hidden' : 'shown',
    }))
    .filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()))

export const notificationCommands = [
  ...moveCommands('notification', whenListed, moves, (_, by, { runCommand }) => {
    if (by === 1 && isAtEnd() && !allLoaded()) void runCommand('notification.more', {})
    else moveBy(by)
  }),
  defineCommand({
    ...focusedCommand,
    id: 'notification.answer',
    title: 'Run suggested action',
    recordable: false,
    icon: 'check',
    keys: 'a',
    keywords: ['notification', 'answer', 'solve', 'fix', 'respond'],
    short: 'answer',
    label: () => notificationsView.focused?.actionTitle ?? 'Run suggested action',
    run: async ({ notification }, _, services) => (await loadActions()).answer(notification, services),
  }),
  defineCommand({
    ...focusedCommand,
    id: 'notification.open',
    title: 'Open device of notification',
    icon: 'device',
    keys: ['Enter', 'o'],
    keywords: ['notification', 'detail', 'incident'],
    short: 'device',
    label: openLabel,
    selection: 'changes',
    progressTitle: 'Selecting',
    run: async ({ notification }, _, services) => (await loadActions()).open(notification, services),
  }),
  defineCommand({
    ...focusedCommand,
    id: 'notification.chart',
    title: 'Show chart at that time',
    icon: 'chart',
    keys: 'c',
    keywords: ['notification', 'statistics'],
    short: 'chart',
    needs: whenSingleFocused,
    run({ notification: { device, created_at } }, _, { runCommand }) {
      void runCommand('charts.show', { device: device.bssid, at: created_at })
    },
  }),
  defineCommand({
    entity: 'devices',
    id: 'device.part',
    title: 'Open device section',
    group: 'insight',
    keysOnly: true,
    endpoint: devices.detail,
    needs: chosenDevice,
    args: z.object({ part: z.enum(['filters', 'firmware', 'power']) }),
    run: (device, { part }, { go }) => go(`/devices/${device.id}#${part}`),
  }),
  defineCommand({
    ...focusedCommand,
    id: 'notification.run',
    title: 'Expand or collapse group',
    recordable: false,
    keys: 'x',
    keywords: ['show', 'fold', 'series', 'more'],
    short: 'group',
    run: async () => (await loadActions()).toggleRun(),
  }),
  defineCommand({
    ...focusedCommand,
    id: 'notification.selectDevices',
    title: 'Select devices of group',
    recordable: false,
    selection: 'changes',
    icon: 'select',
    keys: 'shift+a',
    keywords: ['notification', 'incident', 'all', 'storm', 'fleet'],
    short: 'select devices',
    run: async ({ notification }, _, services) => (await loadActions()).selectDevices(notification, services),
    progressTitle: 'Selecting',
  }),
  defineCommand({
    ...screenCommand,
    id: 'notification.more',
    title: 'Load 12 more',
    icon: 'down',
    keys: 'm',
    keywords: ['notifications', 'older', 'next page'],
    on: ['status'],
    short: 'more',
    needs: onScreenWhen(() => !allLoaded(), 'All notifications are loaded'),
    run: async () => (await loadActions()).loadMore(),
    progressTitle: 'Loading',
  }),
  defineCommand({
    ...screenCommand,
    id: 'notification.seen',
    title: 'Mark all as seen',
    icon: 'eye',
    keys: 'shift+m',
    keywords: ['notifications', 'read', 'unseen', 'badge'],
    async run() {
      const { markSeen } = await import('../../api/notifications.ts')
      await markSeen()
    },
  }),
  defineCommand({
    ...screenCommand,
    id: 'notification.refresh',
    title: 'Refresh',
    icon: 'refresh',
    keys: 'shift+r',
    keywords: ['notifications', 'reload', 'again'],
    run: async (_target, _args, services) => (await loadActions()).refresh(services),
    progressTitle: 'Loading',
  }),
  defineCommand({
    ...screenCommand,
    id: 'notification.newest',
    title: 'Go to new notifications',
    keys: 'n',
    keysOnly: true,
    needs: onScreenWhen(() => notificationsView.newAbove > 0, 'There are no new notifications'),
    run: () => moveBy(-Infinity),
  }),
  defineCommand({
    ...screenCommand,
    id: 'notification.filter',
    title: 'Filter by type',
    icon: 'filter',
    keys: '/',
    keywords: ['notifications', 'types'],
    on: ['notificationFilters'],
    run: (_target, _args, { focus }) => focus('types-filter'),
  }),
  defineCommand({
    ...screenCommand,
    id: 'notification.type',
    title: 'Show or hide notification type',
    icon: 'filter',
    keys: 'shift+t',
    keywords: ['filter', 'toggle'],
    args: z.object({ type: withMeta(z.string(), { label: 'Type' }) }),
    choices: { type: typeChoices },
    run(_, { type }) {
      notificationsView.hidden = notificationsView.hidden.includes(type)
        ? notificationsView.hidden.filter(hidden => hidden !== type)
        : [...notificationsView.hidden, type]
    },
  }),
  defineCommand({
    ...screenCommand,
    id: 'notification.types',
    title: 'Show only these notification types',
    keysOnly: true,
    args: z.object({ types: z.array(z.string()) }),
    run(_, { types }) {
      notificationsView.hidden = Object.keys(notificationDefinitions).filter(type => !types.includes(type))
    },
  }),
  defineCommand({
    ...screenCommand,
    id: 'notification.onlySelected',
    title: 'Show only notifications of selected devices',
    selection: 'reads',
    icon: 'device',
    keys: 'd',
    keywords: ['notifications', 'filter', 'selection'],
    on: ['notificationFilters'],
    needs: onScreenWhen(() => notificationsView.onlySelected || selections.devices.size > 0, 'No devices selected'),
    run: () => void (notificationsView.onlySelected = !notificationsView.onlySelected),
  }),
  defineCommand({
    ...screenCommand,
    id: 'notification.findings',
    title: 'Show or hide findings among notifications',
    icon: 'finding',
    keys: 'f',
    keywords: ['health', 'filter', 'diagnosis'],
    on: ['notificationFilters'],
    run: () => void (notificationsView.findings = !notificationsView.findings),
  }),
  defineCommand({
    ...screenCommand,
    id: 'notification.all',
    title: 'Show all notifications',
    icon: 'bell',
    keys: 'Escape',
    keywords: ['clear the filter'],
    run() {
      notificationsView.hidden = []
      notificationsView.onlySelected = false
      notificationsView.findings = true
    },
  }),
]

/** Commands of the overview: move between its entries, select the devices of one, and what it shows of the alarms. */
import { cachedAlarmLoad } from '../../api/health/alarmLoad.ts'
import { SupplyWater } from '../../api/contract/health/water.ts'
import { routes } from '../../domain/lists/routes.ts'
import { loadDays } from '../../domain/notifications/alarmLoad.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { overviewFocus } from '../../store/focus.ts'
import { loadRanges, overviewView } from '../../store/overview/view.ts'
import { signedInRole } from '../../store/session.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { moveCommands, rowMoves } from '../core/moveCommands.ts'
import { onScreen, whenFound } from '../core/screenNeeds.ts'
import { applyMatches, matchingItems } from '../selection/materialize.ts'
import { describeSearch } from '../selection/describe.ts'
import { readDevices } from '../selection/selectList.ts'
import { loadedEntries, type GroupEntry, type OverviewEntry } from './entries.ts'
import { focusedEntry, someEntries } from './needs.ts'
import { openEntry } from './openEntry.ts'

const here = { group: 'insight', screen: 'overview', roles: deviceRoles } as const

const worstDevices = whenFound(
  onScreen('overview'),
  () => {
    const worst = cachedAlarmLoad(overviewView.range)?.worst ?? []
    return worst.length > 0 ? worst.map(({ device }) => device.bssid) : undefined
  },
  'No device has given an alarm',
)

const isDeviceFocused = () =>
  loadedEntries(signedInRole()).some(entry => entry.id === overviewFocus.entry && 'bssid' in entry)

const isSupply = (entry: OverviewEntry): entry is GroupEntry => 'analyses' in entry && entry.analyses !== undefined
const focusedSupply = whenFound(
  someEntries,
  () =>
    loadedEntries(signedInRole()).find(
      (entry): entry is GroupEntry => entry.id === overviewFocus.entry && isSupply(entry),
    ),
  'Move to a water supply first',
)

const moves = rowMoves({
  down: 'Next entry',
  up: 'Previous entry',
  first: 'First entry',
  last: 'Last entry',
  pageDown: 'Ten entries down',
  pageUp: 'Ten entries up',
})

function moveBy(entries: readonly OverviewEntry[], by: number): void {
  const index = entries.findIndex(({ id }) => id === overviewFocus.entry)
  const next = entries[index < 0 ? 0 : Math.max(0, Math.min(index + by, entries.length - 1))]
  if (!next) return
  overviewFocus.entry = next.id
  overviewFocus.moves++
}

export const overviewCommands = [
  ...moveCommands('overview', { ...here, needs: someEntries }, moves, moveBy),
  defineCommand({
    ...here,
    id: 'overview.open',
    title: 'Select devices of entry',
    label: () => (isDeviceFocused() ? 'Open device' : 'Select devices of entry'),
    selection: 'changes',
    icon: 'enter',
    keys: ['Enter', 'o'],
    keywords: ['overview', 'show', 'open', 'list'],
    on: ['status'],
    short: 'select',
    needs: focusedEntry,
    progressTitle: 'Selecting',
    run: (entry, _, services) => openEntry(entry, services),
  }),
  ...loadRanges.map((range, index) =>
    defineCommand({
      ...here,
      id: `overview.${range}`,
      title: `Show alarms of ${loadDays[range]} days`,
      icon: 'chart',
      keys: String(index + 1),
      keywords: ['alarm load', 'flood', 'range'],
      on: ['overviewRange'],
      needs: onScreen('overview'),
      run() {
        overviewView.range = range
      },
    }),
  ),
  defineCommand({
    ...here,
    id: 'overview.table',
    title: 'Switch between bars and table of alarms',
    icon: 'columns',
    keys: 'd',
    keywords: ['alarm load', 'numbers', 'data'],
    on: ['overview'],
    needs: onScreen('overview'),
    run() {
      overviewView.table = !overviewView.table
    },
  }),
  defineCommand({
    ...here,
    id: 'overview.allGroups',
    title: 'Show all causes, vendors, models and supplies, or the first ten',
    icon: 'columns',
    keys: 'm',
    keywords: ['overview', 'more', 'groups', 'expand'],
    needs: onScreen('overview'),
    run() {
      overviewView.allGroups = !overviewView.allGroups
    },
  }),
  defineCommand({
    ...here,
    id: 'overview.selectWorst',
    title: 'Select devices with the most alarms',
    selection: 'changes',
    icon: 'select',
    keys: 'shift+a',
    keywords: ['alarm load', 'ten worst', 'bad actors', 'noisy'],
    on: ['overview'],
    needs: worstDevices,
    progressTitle: 'Selecting',
    async run(bssids, _, { go, progress }) {
      const found = await readDevices(bssids, progress)
      const message = await applyMatches('devices', found, { mode: undefined, source: 'the most alarms', progress })
      go(routes.devices.path)
      return message
    },
  }),
  defineCommand({
    ...here,
    id: 'overview.waterAnalysis',
    title: 'Set water analysis of supply',
    icon: 'supply',
    keys: 's a',
    keywords: ['overview', 'hardness', 'alkalinity', 'ph', 'langelier', 'scaling', 'limescale'],
    needs: focusedSupply,
    args: SupplyWater,
    delegates: true,
    progressTitle: 'Reading devices',
    async run({ search }, water, { progress, runCommand }) {
      const targets = await matchingItems('devices', search, progress)
      if (targets.length === 0) throw new Error(`No device found for ${describeSearch('devices', search)}`)
      await runCommand('device.waterAnalysis', water, targets)
    },
  }),
]

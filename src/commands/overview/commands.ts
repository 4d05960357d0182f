/** Commands of the overview: move between its entries, and select the devices of one. */
import { routes } from '../../domain/lists/routes.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { overviewFocus } from '../../store/focus.ts'
import { lists, setSearch, setSearchBy } from '../../store/lists.ts'
import { signedInRole } from '../../store/session.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { moveCommands, rowMoves } from '../core/moveCommands.ts'
import { onScreen, whenFound } from '../core/screenNeeds.ts'
import { followMatches } from '../selection/selectHealth.ts'
import { loadedEntries, type OverviewEntry } from './entries.ts'

const here = { group: 'insight', screen: 'overview', roles: deviceRoles } as const

const someEntries = whenFound(
  onScreen('overview'),
  () => {
    const entries = loadedEntries(signedInRole())
    return entries.length > 0 ? entries : undefined
  },
  'The overview is still loading',
)
const focusedEntry = whenFound(
  someEntries,
  () => loadedEntries(signedInRole()).find(({ id }) => id === overviewFocus.entry),
  'Move to an entry first',
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
    selection: 'changes',
    icon: 'enter',
    keys: ['Enter', 'o'],
    keywords: ['overview', 'show', 'open', 'list'],
    on: ['status'],
    short: 'select',
    needs: focusedEntry,
    progressTitle: 'Selecting',
    async run(entry, _, { go, progress }) {
      if ('finding' in entry) return go(`${routes.devices.path}/${entry.finding.bssid}`)
      const message = await followMatches(entry.search, progress)
      const { search, column, operator } = entry.search
      setSearch(lists.devices, search)
      setSearchBy(lists.devices, { ...(column !== undefined && { column }), operator })
      go(routes.devices.path)
      return message
    },
  }),
]

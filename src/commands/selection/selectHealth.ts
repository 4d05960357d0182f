/** The command that selects devices by their health. */
import * as z from 'zod/mini'
import { devices } from '../../api/contract/devices.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { readList, searchOf } from '../../api/readList.ts'
import type { Progress } from '../../api/readMatches.ts'
import { causeSearch, cleaningCauses, dueSearch, stateSearch } from '../../domain/columns/healthSearches.ts'
import { healthStateNames, healthStates } from '../../domain/columns/health.ts'
import { causeLabels } from '../../domain/health/texts/causeNames.ts'
import { causes } from '../../domain/health/types/assessment.ts'
import { selections, type ListSearch } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import { countOf } from '../core/wording.ts'
import { describeSearch } from './describe.ts'
import { applyMatches, matchingItems, selectionMode, type SelectionMode } from './materialize.ts'

/** The choices: groups of causes and times first, then each state and each cause. */
const choices = ['cleaning', 'act', 'watch', 'due', 'good', 'learning', ...causes] as const
type Choice = (typeof choices)[number]

const names: Readonly<Record<Choice, string>> = {
  cleaning: 'Needs cleaning',
  due: 'Due in 30 days',
  ...healthStateNames,
  ...causeLabels,
}

const isState = (choice: Choice): choice is (typeof healthStates)[number] => healthStates.includes(choice as never)

/** Returns the searches whose matches are meant together. */
function searchesOf(choice: Choice, now: number): readonly ListSearch[] {
  if (choice === 'cleaning') return cleaningCauses.map(causeSearch)
  if (choice === 'due') return [dueSearch(now)]
  return [isState(choice) ? stateSearch(choice) : causeSearch(choice)]
}

/** Selects all devices that match a search, as of when a command starts. Throws if there are none. */
export async function followMatches(query: ListSearch, progress: Progress): Promise<string> {
  const { count } = await readList('devices', { limit: 1, ...searchOf(query) }, progress.signal)
  // A script stops here, so that its next step does not act on other devices.
  if (count === 0)
    throw new Error(`No device found for ${describeSearch('devices', query)}: the selection is unchanged`)
  selections.devices.follow(query, count)
  return `Selected ${countOf(count, 'devices')}`
}

/** Selects the devices that match any of the searches. */
async function selectMatches(
  queries: readonly ListSearch[],
  source: string,
  mode: SelectionMode | undefined,
  progress: Progress,
): Promise<string> {
  const [only] = queries
  if (only && queries.length === 1 && mode === undefined) return followMatches(only, progress)
  const found = new Map<string, Awaited<ReturnType<typeof matchingItems>>[number]>()
  for (const query of queries)
    for (const item of await matchingItems('devices', query, progress)) found.set(item.id, item)
  return applyMatches('devices', [...found.values()], { mode, source, progress })
}

export const selectHealthCommands = [
  defineCommand({
    id: 'select.health',
    title: 'Select devices by health',
    entity: 'devices',
    inList: true,
    selection: 'changes',
    group: 'list',
    icon: 'select',
    keys: 'a h',
    keywords: ['needs cleaning', 'act', 'watch', 'cause', 'due', 'finding', 'fouling', 'scaling', 'pick'],
    on: ['select'],
    endpoint: devices.list,
    needs: nothing,
    args: z.object({
      health: withMeta(z.enum(choices), { label: 'Health', names: choices.map(choice => names[choice]) }),
      how: selectionMode,
    }),
    progressTitle: 'Selecting',
    run: (_, { health, how: mode }, { progress }) =>
      selectMatches(searchesOf(health, Date.now()), names[health], mode, progress),
  }),
]

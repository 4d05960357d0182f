/** Commands that move through jobs and their targets, and filter these. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { taskStates } from '../../domain/columns/jobs.ts'
import { routes } from '../../domain/lists/routes.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { moveCommands, rowMoves } from '../core/moveCommands.ts'
import { anyListed, here, one, shown, shownServerJob } from './needs.ts'
import { jobs, outcomeFilters } from '../core/runs/jobs.ts'
import { openTarget, targetInFocus } from './actions.ts'
import { shownEntry } from './entries.ts'
import * as move from './moves.ts'
import { formatNumber } from '../../domain/format.ts'

const moves = rowMoves({
  down: 'Next item',
  up: 'Previous item',
  first: 'First item',
  last: 'Last item',
  pageDown: 'Ten items down',
  pageUp: 'Ten items up',
})

export const jobMoves = [
  ...moveCommands('job', { ...here, needs: anyListed }, moves, (_, by) => move.moveBy(by)),
  defineCommand({
    ...one,
    id: 'job.open',
    title: 'Open results, or focused target',
    icon: 'enter',
    keys: ['Enter', 'o'],
    on: ['status'],
    short: 'open',
    needs: shown(),
    label: () => (jobs.view.within === 'jobs' ? 'Results' : 'Open'),
    run(entry, _, { go }) {
      if (jobs.view.within === 'jobs') return move.enterOutcomes()
      if (entry.is === 'server') {
        const task = move.taskInFocus(entry.job)
        return task ? go(`${routes.devices.path}/${task.bssid}`) : undefined
      }
      const target = targetInFocus(entry.job)
      return target ? openTarget(entry.job, target, go) : move.enterOutcomes()
    },
  }),
  defineCommand({
    ...one,
    id: 'job.parent',
    title: 'Show job that this one retries or undoes',
    icon: 'up',
    keys: 'u',
    keywords: ['job', 'parent', 'origin', 'first'],
    on: [],
    needs: shownServerJob('This job is not a retry', ({ parent }) =>
      parent === null ? 'This job is neither a retry nor an undo' : undefined,
    ),
    run: ({ parent }) => {
      if (parent !== null) move.goToJob(parent)
    },
  }),
  defineCommand({
    ...one,
    id: 'job.back',
    title: 'Back to jobs',
    icon: 'left',
    keys: 'Escape',
    on: ['jobHead', 'status'],
    short: 'back',
    needs: shown({ local: alreadyInJobs, server: alreadyInJobs }),
    run: () => move.leaveOutcomes(),
  }),
  defineCommand({
    ...one,
    id: 'job.filter',
    title: 'Filter results',
    on: [],
    icon: 'filter',
    keys: '/',
    keywords: ['job', 'filter', 'failed', 'skipped', 'waiting', 'done'],
    needs: shown(),
    args: z.object({
      outcome: withMeta(z.enum([...outcomeFilters, ...taskStates]), { label: 'Outcome' }),
    }),
    choices: { outcome: (_, query) => filterOptions(query) },
    run: (_, { outcome }) => move.filterBy(outcome),
  }),
  defineCommand({
    ...one,
    id: 'job.nextFilter',
    title: 'Next result filter',
    icon: 'filter',
    keys: 'f',
    on: ['status'],
    short: 'filter',
    needs: shown(),
    run: () => move.nextFilter(),
  }),
]

function alreadyInJobs(): string | undefined {
  return jobs.view.within === 'jobs' ? 'The jobs are already shown' : undefined
}

/** Returns the filters of the shown job whose name contains a text. */
function filterOptions(query: string) {
  const entry = shownEntry()
  const needle = query.trim().toLowerCase()
  return (entry ? move.filtersOf(entry) : [])
    .filter(({ name }) => name.toLowerCase().includes(needle))
    .map(({ filter, name, count }) => ({ value: filter, name, detail: formatNumber(count) }))
}

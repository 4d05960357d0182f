/** Commands that move through jobs and their outcomes, and filter outcomes. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { moveCommands, rowMoves } from '../core/moveCommands.ts'
import { here, one, shown } from './needs.ts'
import { outcomeFilters, jobs } from '../core/runs/jobs.ts'
import { outcomeName } from './outcomes.ts'
import * as acts from './actions.ts'

const moves = rowMoves({
  down: 'Next item',
  up: 'Previous item',
  first: 'First item',
  last: 'Last item',
  pageDown: 'Ten items down',
  pageUp: 'Ten items up',
})

export const jobMoves = [
  ...moveCommands('job', { ...here, needs: shown() }, moves, (_, by) => acts.moveBy(by)),
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
    run(job, _, { go }) {
      const target = acts.targetInFocus()
      if (jobs.view.within === 'jobs' || !target) acts.enterOutcomes()
      else acts.openTarget(job, target, go)
    },
  }),
  defineCommand({
    ...one,
    id: 'job.back',
    title: 'Back to jobs',
    icon: 'left',
    keys: 'Escape',
    on: ['status'],
    short: 'back',
    needs: shown(() => (jobs.view.within === 'jobs' ? 'The jobs are already shown' : undefined)),
    run: () => acts.leaveOutcomes(),
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
      outcome: withMeta(z.enum(outcomeFilters), {
        label: 'Outcome',
        names: outcomeFilters.map(one => outcomeName(one, 'done')),
      }),
    }),
    run: (_, { outcome }) => acts.filterBy(outcome),
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
    run: () => acts.nextFilter(),
  }),
]

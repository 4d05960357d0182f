/** Moving from one job, or target of a job, to the next, and choosing which outcomes are shown. */
import * as z from 'zod/mini'
import { labelled } from '../../api/contract/fields.ts'
import { defineCommand } from '../core/command.ts'
import * as acts from './actions.ts'
import { here, one, shown } from './needs.ts'
import { outcomeName } from './outcomes.ts'
import { jobs, outcomeFilters } from '../core/runs/jobs.ts'

const move = { ...here, on: ['jobs'], keysOnly: true, needs: shown() } as const

export const jobMoves = [
  ...(
    [
      ['down', 'Next job, or target of a job', ['j', 'ArrowDown'], 1, 'down'],
      ['up', 'Job before, or target of a job', ['k', 'ArrowUp'], -1, 'up'],
    ] as const
  ).map(([name, title, keys, by, short]) =>
    defineCommand({
      ...move,
      id: `job.${name}`,
      title,
      keys,
      on: ['jobs', 'status'],
      short,
      run: () => acts.moveBy(by),
    }),
  ),
  ...(
    [
      ['first', 'First job, or target', 'Home', -Infinity],
      ['last', 'Last job, or target', 'End', Infinity],
      ['pageDown', 'Ten jobs or targets down', 'PageDown', 10],
      ['pageUp', 'Ten jobs or targets up', 'PageUp', -10],
    ] as const
  ).map(([name, title, keys, by]) =>
    defineCommand({ ...move, id: `job.${name}`, title, keys, run: () => acts.moveBy(by) }),
  ),
  defineCommand({
    ...one,
    id: 'job.open',
    title: 'Open its outcomes, or the target in focus',
    icon: 'enter',
    keys: ['Enter', 'o'],
    on: ['job', 'status'],
    short: 'open',
    needs: shown(),
    label: () => (jobs.view.within === 'jobs' ? 'Outcomes' : 'Open'),
    run(job, _, { go }) {
      const target = acts.targetInFocus()
      if (jobs.view.within === 'jobs' || !target) acts.enterOutcomes()
      else acts.openTarget(job, target, go)
    },
  }),
  defineCommand({
    ...one,
    id: 'job.back',
    title: 'Back to the jobs',
    icon: 'left',
    keys: 'Escape',
    on: ['job', 'status'],
    short: 'back',
    needs: shown(() => (jobs.view.within === 'jobs' ? 'These are the jobs' : undefined)),
    run: () => acts.leaveOutcomes(),
  }),
  defineCommand({
    ...one,
    id: 'job.filter',
    title: 'Show only some outcomes',
    icon: 'filter',
    keys: '/',
    keywords: ['job', 'filter', 'failed', 'skipped', 'waiting', 'done'],
    needs: shown(),
    args: z.object({
      outcome: labelled(z.enum(outcomeFilters), {
        label: 'Outcome',
        names: outcomeFilters.map(one => outcomeName(one, 'done')),
      }),
    }),
    run: (_, { outcome }) => acts.filterBy(outcome),
  }),
  defineCommand({
    ...one,
    id: 'job.nextFilter',
    title: 'Next kind of outcome',
    icon: 'filter',
    keys: 'f',
    on: ['job', 'status'],
    short: 'filter',
    needs: shown(),
    run: () => acts.nextFilter(),
  }),
]

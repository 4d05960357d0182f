/** Commands that repeat the last command, show its failures, and retry them. They run through `execute` like others. */
import { roles } from '../../domain/roles.ts'
import { overlay } from '../../store/overlays.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'
import type { LastRun } from '../core/runs/lastRun.ts'

const ranBefore: Needs<LastRun> = ({ last }) => {
  if (!last) return { blocked: 'Nothing has run yet' }
  return last.repeatable ? { target: last } : { blocked: `“${last.title}” cannot be repeated` }
}
const failedBefore: Needs<LastRun> = ({ last }) =>
  last && last.failed.length > 0 ? { target: last } : { blocked: 'Nothing has failed' }

export const repeatCommands = [
  defineCommand({
    id: 'run.repeat',
    title: 'Repeat last command',
    recordable: false,
    group: 'control',
    icon: 'reset',
    keys: '.',
    on: ['status'],
    short: 'repeat',
    roles,
    needs: ranBefore,
    label: ({ last }) => (last ? `Repeat “${last.title}”` : 'Repeat last command'),
    delegates: true,
    run: async last => void (await last.again()),
  }),
  defineCommand({
    id: 'run.failures',
    title: 'View failures',
    recordable: false,
    group: 'control',
    icon: 'warning',
    keys: 'w',
    keywords: ['errors', 'which', 'reasons'],
    on: ['status'],
    short: 'failures',
    roles,
    needs: failedBefore,
    run({ failureReport, job }) {
      overlay.failures = failureReport && { ...failureReport, job }
    },
  }),
  defineCommand({
    id: 'run.retry',
    title: 'Retry what failed',
    recordable: false,
    group: 'control',
    icon: 'reset',
    keys: 'r',
    on: ['status'],
    short: 'retry',
    roles,
    needs: failedBefore,
    label: ({ last }) => (last ? `Retry ${last.failed.length}` : 'Retry what failed'),
    // Runs on the failed targets, not on the current selection.
    delegates: true,
    run: async last => void (await last.again(last.failed)),
  }),
]

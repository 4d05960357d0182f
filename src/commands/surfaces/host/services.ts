/** Builds the services of a running command: the page, API calls, and running other commands. */
import type { AnyItem } from '../../../store/selection.ts'
import type { CommandId } from '../../core/commandId.ts'
import { commandOf } from '../../core/registry.ts'
import type { Command, Services } from '../../core/types.ts'
import type { Host } from '../../core/execution/host.ts'
import { runCommand } from '../run/run.ts'
import { page } from './page.ts'

/** The services that differ for each run. */
type RunServices = Pick<Services, 'call' | 'progress' | 'carryOut'>

export const servicesFor = (runServices: RunServices, targets: Host['targets']): Services => ({
  ...page,
  ...runServices,
  async script(started) {
    const { startScript } = await import('../scripts/startScript.tsx')
    // Not awaited: the script has its own prompts, progress and outcome.
    void startScript(started, targets)
  },
  runCommand: async (command: CommandId | Command, input: unknown, items?: readonly AnyItem[]) =>
    runCommand(typeof command === 'string' ? commandOf(command) : command, { input, ...(items && { targets: items }) }),
})

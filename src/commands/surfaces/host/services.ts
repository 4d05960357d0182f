/** What a running command is handed: the page, the calls, other commands. */
import type { AnyItem } from '../../../store/selection.ts'
import type { CommandId } from '../../core/commandId.ts'
import { commandOf } from '../../core/registry.ts'
import type { Command, Services } from '../../core/types.ts'
import type { Host } from '../../core/execution/host.ts'
import { runCommand } from '../run/run.ts'
import { page } from './page.ts'

/** What differs from run to run: how calls are followed, and how their progress is shown. */
type Followed = Pick<Services, 'call' | 'progress' | 'inChunks'>

export const servicesFor = (followed: Followed, targets: Host['targets']): Services => ({
  ...page,
  ...followed,
  async script(started) {
    const { startScript } = await import('../scripts/startScript.tsx')
    // It asks, shows its progress and reports its outcome by itself.
    void startScript(started, targets)
  },
  again: async (command: CommandId | Command, input: unknown, on?: readonly AnyItem[]) =>
    runCommand(typeof command === 'string' ? commandOf(command) : command, { input, ...(on && { targets: on }) }),
})

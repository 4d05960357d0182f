import type { Services } from '../../core/types.ts'
import type { Host } from '../../core/execution/host.ts'

/** What a run needs of the world around it. */
export interface RunEnvironment {
  readonly go: Services['go']
  readonly targets: Host['targets']
}

/** Begins to run a script, which has a world of its own and tells there what comes of it. */
export async function startScript(
  started: Parameters<Services['script']>[0],
  { targets }: RunEnvironment,
): Promise<void> {
  const loaded = await import('../scripts/startScript.tsx')
  void loaded.startScript(started, targets)
}

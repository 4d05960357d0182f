import type { Services } from '../command.ts'
import type { Host } from '../host.ts'

/** What a run needs of the world around it. */
export interface Around {
  readonly go: Services['go']
  readonly targets: Host['targets']
}

/** Runs a script, which has a world of its own. */
export function startScript(started: Parameters<Services['script']>[0], { targets }: Around): void {
  void import('./scripts/startScript.tsx').then(loaded => loaded.startScript(started, targets))
}

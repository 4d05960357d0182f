import type { Command } from './types.ts'

/** Whether a command changes its targets. If so, they are materialized first and the run is a job. */
export const changesTargets = ({ entity, endpoint, group }: Pick<Command, 'entity' | 'endpoint' | 'group'>): boolean =>
  // A command that creates does not act on the selection.
  entity !== undefined && endpoint !== undefined && endpoint.method !== 'GET' && group !== 'create'

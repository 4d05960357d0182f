/**
 * The approval of a dry run. The preview is shown again if the dry run has changed by then. Loaded when first needed.
 */
import type { ChosenPolicy } from '../../../api/jobs/jobs.ts'
import { ApiError } from '../../../api/errors.ts'
import type { AnyItem } from '../../../store/selection.ts'
import { affectedCount, planChanges } from './planChanges.ts'
import { startingPolicy } from './serverJob.ts'
import { areUnread, idsOf, unreadMatches } from './unreadMatches.ts'
import type { Call, Command, DryRun } from '../types.ts'
import type { Host, DryRunProgress, Preview } from './host.ts'
import { suspendWhilePrompting } from '../runs/pendingCommands.ts'

/** The frozen targets of a run. */
export interface PlanTargets extends Pick<Preview, 'targets' | 'source'> {
  /** What the person has typed of the policy of a job. */
  readonly typed: ChosenPolicy | undefined
}

/**
 * Resolves with the approved plan, or with undefined if the person cancels. Without an operation the plan affects all
 * targets. `only` prepares the command on some of them.
 */
export async function confirmPlan(
  host: Host,
  command: Command,
  { targets, source, typed }: PlanTargets,
  { operation, question }: Call,
  only: (some: readonly AnyItem[]) => Call,
): Promise<DryRun | undefined> {
  const all: DryRun = { affected: idsOf(targets), skipped: [] }
  const policy = operation && (await startingPolicy(operation, targets.length, typed))
  const check = (progress?: DryRunProgress, policy?: ChosenPolicy) =>
    operation ? host.dryRun(operation, all.affected, progress, policy) : Promise.resolve(all)
  const request = {
    command,
    targets,
    source,
    check,
    isSearch: operation?.send === undefined && operation?.job?.isSearch === true,
    isRetry: operation?.send === undefined && operation?.job?.isRetry === true,
    question: (plan: DryRun | undefined) =>
      plan && affectedCount(plan) > 0 ? only(affectedTargets(targets, plan)).question : question,
  }
  let approved = await suspendWhilePrompting(host.preview({ ...request, policy, plan: undefined, changed: [] }))
  while (approved) {
    const chosen = approved.job?.policy
    const plan = await undefinedOnApiError(check(undefined, chosen))
    const changed = plan ? planChanges(approved, plan) : []
    if (plan && changed.length === 0) return plan
    // After a failed check, the preview checks again and shows the error.
    approved = await suspendWhilePrompting(host.preview({ ...request, policy: chosen, plan, changed }))
  }
  return undefined
}

/** Returns the targets that a plan affects; as many placeholders, if the targets are only counted. */
function affectedTargets(targets: readonly AnyItem[], plan: DryRun): readonly AnyItem[] {
  if (areUnread(targets)) return unreadMatches(affectedCount(plan))
  const affected = new Set(plan.affected)
  return targets.filter(({ id }) => affected.has(id))
}

async function undefinedOnApiError(plan: Promise<DryRun>): Promise<DryRun | undefined> {
  try {
    return await plan
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

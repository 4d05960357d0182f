/** What a person agreed to do to many: shown first, and again where it has changed since. Loaded when first needed. */
import { ApiError } from '../../../api/errors.ts'
import type { AnyItem } from '../../../store/selection.ts'
import { planChanges } from './planChanges.ts'
import type { Call, Command, DryRun } from '../types.ts'
import type { Host, DryRunProgress } from './host.ts'
import { suspendWhilePrompting } from '../runs/pendingCommands.ts'

/** Resolves with the plan, or with undefined where they backed out. What asks the server nothing goes to `all`. */
export async function confirmPlan(
  host: Host,
  command: Command,
  targets: readonly AnyItem[],
  all: DryRun,
  { operation, question }: Call,
  only: (plan: DryRun) => Call,
): Promise<DryRun | undefined> {
  const check = (watch?: DryRunProgress) =>
    operation ? host.dryRun(operation, all.affected, watch) : Promise.resolve(all)
  const asked = {
    command,
    targets,
    check,
    question: (plan: DryRun | undefined) => (plan && plan.affected.length > 0 ? only(plan).question : question),
  }
  let shown = await suspendWhilePrompting(host.preview({ ...asked, plan: undefined, changed: [] }))
  while (shown) {
    const plan = await orUndefined(check())
    const changed = plan ? planChanges(shown, plan) : []
    if (plan && changed.length === 0) return plan
    // Where it could not be checked, the preview tries once more, and says what is wrong.
    shown = await suspendWhilePrompting(host.preview({ ...asked, plan, changed }))
  }
  return undefined
}

async function orUndefined(plan: Promise<DryRun>): Promise<DryRun | undefined> {
  try {
    return await plan
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

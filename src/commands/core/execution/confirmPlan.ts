/** What a person agreed to do to many: shown first, and again where it has changed since. Loaded when first needed. */
import { ApiError } from '../../../api/errors.ts'
import type { AnyItem } from '../../../store/selection.ts'
import { changes } from './planChanges.ts'
import type { Call, Command, Plan } from '../command.ts'
import type { Host, Watch } from './host.ts'
import { whileAsked } from '../runs/pendingCommands.ts'

/** Resolves with the plan, or with undefined where they backed out. What asks the server nothing goes to `all`. */
export async function previewed(
  host: Host,
  command: Command,
  targets: readonly AnyItem[],
  all: Plan,
  { order, question }: Call,
  only: (plan: Plan) => Call,
): Promise<Plan | undefined> {
  const check = (watch?: Watch) => (order ? host.plan(order, all.will, watch) : Promise.resolve(all))
  const asked = {
    command,
    targets,
    check,
    question: (plan: Plan | undefined) => (plan && plan.will.length > 0 ? only(plan).question : question),
  }
  let shown = await whileAsked(host.preview({ ...asked, plan: undefined, changed: [] }))
  while (shown) {
    const plan = await orUndefined(check())
    const changed = plan ? changes(shown, plan) : []
    if (plan && changed.length === 0) return plan
    // Where it could not be checked, the preview tries once more, and says what is wrong.
    shown = await whileAsked(host.preview({ ...asked, plan, changed }))
  }
  return undefined
}

async function orUndefined(plan: Promise<Plan>): Promise<Plan | undefined> {
  try {
    return await plan
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

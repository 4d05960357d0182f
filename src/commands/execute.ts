/** The one path by which anything runs, whichever surface asked: no guard can be skipped. */
import { ApiError } from '../api/errors.ts'
import { revalidate } from '../api/hooks.ts'
import type { Question } from '../store/overlays.ts'
import type { Entity } from '../store/lists.ts'
import { selections, type AnyItem } from '../store/selection.ts'
import type { Command, Outcome, Services } from './command.ts'
import { InvalidInput } from './invalidInput.ts'
import type { Context, Targets } from './context.ts'
import { remember } from './history.ts'

/** What execution needs of the world; a test hands in its own. */
export interface Host {
  context(): Context
  /** Palette pages or the panel's form; undefined when the person backs out. */
  ask(command: Command): Promise<unknown>
  confirm(question: Question): Promise<boolean>
  /** Services for one run, and what ends its progress. */
  services(command: Command): { services: Services; ended: () => void }
  blocked(reason: string): void
  finished(command: Command, message: string, outcome: Outcome | undefined): void
  failed(error: unknown): void
}

export interface Given {
  /** Arguments that need not be asked for. */
  readonly input?: unknown
  /** What to act on in place of the selection. */
  readonly targets?: readonly AnyItem[]
}

export type Ending =
  | { is: 'done' }
  /** Not available, or the person backed out. */
  | { is: 'stopped' }
  | { is: 'invalid'; fields: InvalidInput['fields'] }
  | { is: 'failed'; error: unknown }

export async function execute(host: Host, command: Command, given: Given = {}): Promise<Ending> {
  const now = host.context()
  const context = given.targets ? { ...now, targets: fixedTargets(command, given.targets) } : now
  const availability = command.availability(context)
  if (availability.is === 'hidden') return { is: 'stopped' }
  if (availability.is === 'blocked') {
    host.blocked(availability.reason)
    return { is: 'stopped' }
  }
  // From here on the target is fixed, whatever is selected or arrives meanwhile.
  const targets = command.entity ? [...context.targets(command.entity)] : []
  const frozen = command.entity ? { ...context, targets: fixedTargets(command, targets) } : context
  const input = given.input ?? (command.fields.length > 0 ? await host.ask(command) : {})
  if (input === undefined) return { is: 'stopped' }
  try {
    const call = command.prepare(frozen, input)
    if (call.question && !(await host.confirm(call.question))) return { is: 'stopped' }
    if (host.context().role !== context.role) return { is: 'stopped' }
    const { services, ended } = host.services(command)
    try {
      const running = call.run(services)
      const result = running instanceof Promise ? await running : running
      const message = typeof result === 'object' ? call.done(result) : result
      if (typeof result === 'object') settle(command, input, targets, result, message ?? command.title)
      if (message) host.finished(command, message, typeof result === 'object' ? result : undefined)
      return { is: 'done' }
    } finally {
      ended()
      if (command.endpoint && command.endpoint.method !== 'GET') void revalidate(command.endpoint)
    }
  } catch (error) {
    if (error instanceof InvalidInput) {
      // A form shows at its fields what is wrong with its own input; nobody else would.
      if (given.input === undefined) host.failed(error)
      return { is: 'invalid', fields: error.fields }
    }
    if (!isAbort(error)) host.failed(error)
    return { is: 'failed', error }
  }
}

/** Targets that stay as they are for the command's entity; there are none of another. */
const fixedTargets = (command: Command, targets: readonly AnyItem[]): Targets =>
  // They were read as the same entity's, so the type holds.
  ((entity: Entity) => (entity === command.entity ? targets : [])) as Targets

/** Keeps what failed selected, and at hand for a retry. */
function settle(command: Command, input: unknown, targets: readonly AnyItem[], outcome: Outcome, title: string): void {
  const reasons = new Map(outcome.failed.map(({ id, message }) => [id, message]))
  if ((reasons.size > 0 || command.forgets) && command.entity) selections[command.entity].remove(outcome.done)
  if (!command.repeatable && reasons.size === 0) return
  const failed = targets.filter(target => reasons.has(target.id))
  const told = failed.map(item => ({
    id: item.id,
    name: item.name,
    message: reasons.get(item.id) ?? '',
    see: command.inTheWay?.(item),
  }))
  remember({
    id: command.id,
    title: command.title,
    input,
    failed,
    told: failed.length > 0 ? { title, failed: told } : undefined,
  })
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** What a failed call is to say: the joined list first, then the message as it came (specification, section 8). */
export function errorMessages(error: unknown): readonly (string | readonly string[])[] {
  if (error instanceof ApiError) return typeof error.raw === 'string' ? [error.raw] : [error.message, error.raw]
  return [error instanceof Error ? error.message : String(error)]
}

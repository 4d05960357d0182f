/** What can hold of a device for a time, and how it begins and ends. */
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import type { NotificationValues } from '../../db/schema/notifications.ts'

export interface Condition {
  readonly type: NotificationType
  /** Subject of the condition: a cartridge's position, a firmware version, the source of a fault, or empty. */
  readonly subject: string
}

export interface Transition extends Condition {
  readonly begins: boolean
  /** Values for the notification's text; without them no notification is created. */
  readonly values?: NotificationValues
}

/** The active conditions of a device: start times in milliseconds UTC, by `conditionKey`. */
export type ActiveConditions = ReadonlyMap<string, number>
export const noConditions: ActiveConditions = new Map()

/** Returns the key of a condition within its device. */
export const conditionKey = ({ type, subject }: Condition): string => `${type} ${subject}`

/** Sources of a fault: status, list of faults, or readings. A fault is active while any source reports it. */
const sources = ['status', 'faults', 'readings'] as const

/** Returns whether a condition is active, from any source. */
export const isActive = (held: ActiveConditions, type: NotificationType): boolean =>
  held.size > 0 && ['', ...sources].some(subject => held.has(conditionKey({ type, subject })))

/** Returns the active conditions after transitions at `at`. */
export function applyTransitions(
  held: ActiveConditions,
  transitions: readonly Transition[],
  at: Date,
): ActiveConditions {
  const now = new Map(held)
  for (const transition of transitions)
    if (transition.begins) now.set(conditionKey(transition), at.getTime())
    else now.delete(conditionKey(transition))
  return now
}

/** Collects transitions: an active condition does not begin again, an inactive one does not end. */
export interface Evaluation {
  readonly transitions: readonly Transition[]
  begin(condition: Condition, values: NotificationValues, silently?: boolean): void
  end(condition: Condition): void
  /** Returns whether a condition is active after the transitions so far, from any source. */
  isActive(type: NotificationType): boolean
}

/** Starts an evaluation from the conditions that are active before it. */
export function evaluate(before: ActiveConditions): Evaluation {
  const transitions: Transition[] = []
  let held = before
  const add = (transition: Transition) => {
    transitions.push(transition)
    held = applyTransitions(held, [transition], new Date(0))
  }
  const known = (type: NotificationType) => isActive(held, type)
  return {
    transitions,
    begin: (condition, values, silently = false) => {
      if (held.has(conditionKey(condition))) return
      add({ ...condition, begins: true, ...(silently || known(condition.type) ? {} : { values }) })
    },
    end: condition => {
      if (held.has(conditionKey(condition))) add({ ...condition, begins: false })
    },
    isActive: known,
  }
}

/** Conditions of a device (states that begin and end) and the transitions between them. */
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import type { NotificationValues } from '../../db/schema/notifications.ts'

export interface Condition {
  readonly type: NotificationType
  /** Subject of the condition: a cartridge's position, a firmware version, the source of a fault, or empty. */
  readonly subject: string
}

export interface Transition extends Condition {
  /** Whether the condition begins or ends. */
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
export const isActive = (active: ActiveConditions, type: NotificationType): boolean =>
  active.size > 0 && ['', ...sources].some(subject => active.has(conditionKey({ type, subject })))

/** Returns the active conditions after transitions at `at`. */
export function applyTransitions(
  active: ActiveConditions,
  transitions: readonly Transition[],
  at: Date,
): ActiveConditions {
  const after = new Map(active)
  for (const transition of transitions)
    if (transition.begins) after.set(conditionKey(transition), at.getTime())
    else after.delete(conditionKey(transition))
  return after
}

/** Collects transitions: an active condition does not begin again, an inactive one does not end. */
export interface Evaluation {
  readonly transitions: readonly Transition[]
  /** Begins a condition. Without a notification if `silently` is set, or another source already reports it. */
  begin(condition: Condition, values: NotificationValues, silently?: boolean): void
  end(condition: Condition): void
  /** Returns whether a condition is active after the transitions so far, from any source. */
  isActive(type: NotificationType): boolean
}

/** Starts an evaluation from the conditions that are active before it. */
export function evaluate(before: ActiveConditions): Evaluation {
  const transitions: Transition[] = []
  let active = before
  const add = (transition: Transition) => {
    transitions.push(transition)
    // Only the keys matter here, so the time is arbitrary.
    active = applyTransitions(active, [transition], new Date(0))
  }
  const isTypeActive = (type: NotificationType) => isActive(active, type)
  return {
    transitions,
    begin: (condition, values, silently = false) => {
      if (active.has(conditionKey(condition))) return
      add({ ...condition, begins: true, ...(silently || isTypeActive(condition.type) ? {} : { values }) })
    },
    end: condition => {
      if (active.has(conditionKey(condition))) add({ ...condition, begins: false })
    },
    isActive: isTypeActive,
  }
}

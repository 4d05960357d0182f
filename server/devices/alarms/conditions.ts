/** What can hold of a device for a time, and how it begins and ends. */
import type { NotificationType } from '../../../src/domain/notifications/types.ts'
import type { NotificationValues } from '../../db/schema/notifications.ts'

export interface Condition {
  readonly type: NotificationType
  /** Which of its kind: a cartridge's position, a firmware's version, who says so of a fault; or empty. */
  readonly subject: string
}

export interface Transition extends Condition {
  readonly begins: boolean
  /** What the notification's text needs. Without them nobody is told: it is known already, or it ends. */
  readonly values?: NotificationValues
}

/** The conditions of one device that hold, by `keyOf`, with the milliseconds UTC at which they began. */
export type ActiveConditions = ReadonlyMap<string, number>
export const noConditions: ActiveConditions = new Map()

export const keyOf = ({ type, subject }: Condition): string => `${type} ${subject}`

/** Who says that a device has a fault: its status, its list of faults, or what it reads. It holds while one says so. */
const sources = ['status', 'faults', 'readings'] as const

/** Whether it holds, whoever says so. */
export const holds = (held: ActiveConditions, type: NotificationType): boolean =>
  held.size > 0 && ['', ...sources].some(subject => held.has(keyOf({ type, subject })))

/** What holds after these transitions, which happened at `at`. */
export function after(held: ActiveConditions, transitions: readonly Transition[], at: Date): ActiveConditions {
  const now = new Map(held)
  for (const transition of transitions)
    if (transition.begins) now.set(keyOf(transition), at.getTime())
    else now.delete(keyOf(transition))
  return now
}

/** Gathers what begins and ends: what holds already does not begin, what does not hold does not end. */
export interface Evaluation {
  readonly transitions: readonly Transition[]
  begin(condition: Condition, values: NotificationValues, silently?: boolean): void
  end(condition: Condition): void
  /** Whether it holds by now, whoever says so. */
  holds(type: NotificationType): boolean
}

export function evaluate(before: ActiveConditions): Evaluation {
  const transitions: Transition[] = []
  let held = before
  const add = (transition: Transition) => {
    transitions.push(transition)
    held = after(held, [transition], new Date(0))
  }
  const known = (type: NotificationType) => holds(held, type)
  return {
    transitions,
    begin: (condition, values, silently = false) => {
      if (held.has(keyOf(condition))) return
      add({ ...condition, begins: true, ...(silently || known(condition.type) ? {} : { values }) })
    },
    end: condition => {
      if (held.has(keyOf(condition))) add({ ...condition, begins: false })
    },
    holds: known,
  }
}

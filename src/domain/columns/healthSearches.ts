/** Searches of the list of devices by their health, as the list itself can be searched. */
import { healthStateNames, type HealthCondition } from './health.ts'
import { msPerDay } from '../time.ts'
import { causeLabels } from '../health/texts/causeNames.ts'
import type { Cause } from '../health/types/assessment.ts'

interface Search {
  readonly search: string
  readonly column: string
  readonly operator: 'eq' | 'le'
}

/** The causes that cleaning helps against. */
export const cleaningCauses = ['fouling', 'scaling'] as const satisfies readonly Cause[]

/** Days within which a device is due soon. */
export const dueDays = 30

export const stateSearch = (state: HealthCondition): Search => ({
  search: healthStateNames[state],
  column: 'health_state',
  operator: 'eq',
})

export const causeSearch = (cause: Cause): Search => ({
  search: causeLabels[cause],
  column: 'health_cause',
  operator: 'eq',
})

/** Returns the day until which devices are due soon, in UTC: `2026-12-25`. `now`: milliseconds. */
export const dueDay = (now: number): string => new Date(now + dueDays * msPerDay).toISOString().slice(0, 10)

/** Devices that are due soon, or overdue. */
export const dueSearch = (now: number): Search => ({ search: dueDay(now), column: 'due_at', operator: 'le' })

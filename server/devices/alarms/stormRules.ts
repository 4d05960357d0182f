/** Which incidents of several vendors are one storm, such as a broker that is lost. Pure, as `incidentRules.ts`. */
import { incidentWindow } from './incidentRules.ts'

/** An incident of devices that went offline. */
export interface StormIncident {
  readonly id: string
  readonly vendor: string
  readonly began_at: Date
  /** The first incident of its storm; null if it is in none. */
  readonly storm: string | null
}

/** Incidents that join a storm, which has the id of its first one. */
export interface StormPlan {
  readonly storm: string
  readonly joining: readonly string[]
}

/**
 * Returns which of these incidents join storms. A storm has incidents of two vendors at least, and each begins at most two minutes
 * before or after its first one. An incident stays in its storm.
 */
export function planStorms(incidents: readonly StormIncident[]): StormPlan[] {
  const sorted = incidents.toSorted(
    (one, other) => one.began_at.getTime() - other.began_at.getTime() || (one.id < other.id ? -1 : 1),
  )
  const joined = new Set(sorted.filter(({ storm }) => storm !== null).map(({ id }) => id))
  // Incidents join storms that exist before they begin others.
  const firsts = sorted.toSorted((one, other) => Number(other.storm !== null) - Number(one.storm !== null))
  return firsts.flatMap((first): StormPlan[] => {
    const isKnown = first.storm === first.id
    if (!isKnown && joined.has(first.id)) return []
    const near = sorted.filter(
      ({ id, began_at }) =>
        !joined.has(id) && Math.abs(began_at.getTime() - first.began_at.getTime()) <= incidentWindow,
    )
    if (!isKnown && near.every(({ vendor }) => vendor === first.vendor)) return []
    const joining = near.map(({ id }) => id)
    for (const id of joining) joined.add(id)
    return joining.length > 0 ? [{ storm: first.id, joining }] : []
  })
}

/** What of several vendors is one storm, such as a broker that is lost. Pure, as `incidentRules.ts`. */
import { sum } from '../../../src/domain/lib/sum.ts'
import { countDevices, incidentWindow, minDevices, timesUsual, type IncidentPlan } from './incidentRules.ts'

/** A notification of the last minutes that a device went offline, in no incident. */
export interface ScatteredNotification {
  readonly id: string
  readonly bssid: string
  readonly vendor: string
}

/** An incident of devices that went offline, which may still grow. */
export interface VendorIncident {
  readonly id: string
  readonly vendor: string
  readonly devices: number
}

/**
 * Returns the incidents, each of a vendor, of single devices that went offline together with those of other vendors: of any number
 * of a vendor's devices, if those outside the vendor with most are as many as an incident needs. `usual`: how many single
 * devices of all vendors usually go offline within the window.
 */
export function planScattered(
  singles: readonly ScatteredNotification[],
  growing: readonly VendorIncident[],
  usual: number,
): { readonly vendor: string; readonly plan: IncidentPlan }[] {
  const singlesOf = Map.groupBy(singles, ({ vendor }) => vendor)
  const growingOf = Map.groupBy(growing, ({ vendor }) => vendor)
  const counts = [...new Set([...singlesOf.keys(), ...growingOf.keys()])].map(
    vendor =>
      countDevices(singlesOf.get(vendor) ?? []) + sum((growingOf.get(vendor) ?? []).map(({ devices }) => devices)),
  )
  if (sum(counts) - Math.max(0, ...counts) < Math.max(minDevices, timesUsual * usual)) return []
  return [...singlesOf].map(([vendor, notifications]) => {
    const [into, ...absorbed] = (growingOf.get(vendor) ?? []).map(({ id }) => id)
    return { vendor, plan: { into, supply: null, joining: notifications.map(({ id }) => id), absorbed } }
  })
}

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

/** Which notifications of one type and vendor are an incident. Pure: what is stored is read and written elsewhere. */
import { sum } from '../../../src/domain/lib/sum.ts'
import { msPerMinute, msPerSecond } from '../../../src/domain/time.ts'

/** Devices that have to give the same notification. */
export const minDevices = 5
/** Milliseconds between two notifications of an incident, and within which its first ones are given. */
export const incidentWindow = 2 * msPerMinute
/**
 * Milliseconds after its beginning in which an incident grows. Devices that report every five minutes are found to be
 * offline in up to fifteen; later ones have another reason.
 */
export const maxGrowth = 15 * msPerMinute
/** Milliseconds before the others after which a notification does not begin their incident. */
const maxLead = 30 * msPerSecond
/** Devices with no supply or vendor in common belong together only if they are this many times as many as usual. */
export const timesUsual = 3

/** A notification of the last minutes that is in no incident. */
export interface SingleNotification {
  readonly id: string
  readonly bssid: string
  /** The key of the device's supply. */
  readonly supply: string | null
  readonly at: Date
}

/** An incident that may still grow. */
export interface GrowingIncident {
  readonly id: string
  /** The key of the supply of all its devices; null if they are not on one. */
  readonly supply: string | null
  readonly devices: number
}

/** Notifications that belong together. */
export interface IncidentPlan {
  /** The incident that they join; without one they are a new incident. */
  readonly into: string | undefined
  readonly supply: string | null
  readonly joining: readonly string[]
  /** Incidents that become part of it. */
  readonly absorbed: readonly string[]
}

/**
 * Returns the incidents of these notifications, of one type and vendor, oldest first. Devices on one supply are one
 * incident; if as many others give the same notification, they are one incident of the vendor. `usual`: how many single
 * notifications of this type the vendor usually has within the window, because in a large fleet five within two minutes
 * mean nothing.
 */
export function planIncidents(
  singles: readonly SingleNotification[],
  growing: readonly GrowingIncident[],
  usual: number,
): IncidentPlan[] {
  if (singles.length === 0) return []
  const ofVendor = growing.find(({ supply }) => supply === null)
  if (ofVendor) return [{ into: ofVendor.id, supply: null, joining: idsOf(singles), absorbed: [] }]
  const supplies = suppliesOf(singles, growing)
  const devices = countDevices(singles) + sum(growing.map(incident => incident.devices))
  const elsewhere = devices - Math.max(0, ...[...supplies, ...growing].map(each => each.devices))
  if (elsewhere >= Math.max(minDevices, timesUsual * usual)) {
    const [into, ...absorbed] = growing.map(({ id }) => id)
    return [{ into, supply: null, joining: idsOf(into === undefined ? withoutStrays(singles) : singles), absorbed }]
  }
  return supplies.map(({ supply, into, joining }) => ({ into, supply, joining, absorbed: [] }))
}

/** Returns the supplies with an incident, or with enough devices for one, which have new notifications. */
function suppliesOf(singles: readonly SingleNotification[], growing: readonly GrowingIncident[]) {
  const bySupply = Map.groupBy(singles, ({ supply }) => supply)
  return [...bySupply].flatMap(([supply, notifications]) => {
    if (supply === null) return []
    const incident = growing.find(other => other.supply === supply)
    const devices = countDevices(notifications)
    if (!incident && devices < minDevices) return []
    const joining = idsOf(incident ? notifications : withoutStrays(notifications))
    return [{ supply, into: incident?.id, joining, devices: devices + (incident?.devices ?? 0) }]
  })
}

/** Leaves out early notifications that are far apart from the rest, if enough devices remain. */
function withoutStrays(notifications: readonly SingleNotification[]): readonly SingleNotification[] {
  const [first, ...others] = notifications
  const [next] = others
  if (!first || !next || next.at.getTime() - first.at.getTime() <= maxLead) return notifications
  return countDevices(others) < minDevices ? notifications : withoutStrays(others)
}

const idsOf = (notifications: readonly SingleNotification[]) => notifications.map(({ id }) => id)
export const countDevices = (notifications: readonly { readonly bssid: string }[]) =>
  new Set(notifications.map(({ bssid }) => bssid)).size

/** Slow faults that the command line asks for: which devices have them. */
import type { FleetDevice } from '../server/protocol/fleetFile.ts'
import { bssidPattern, normaliseBssid } from '../src/domain/bssid.ts'
import { parseFault } from './model/faultTexts.ts'
import { seedFrom } from './model/random.ts'
import { supplyFaults, type FaultCourse, type SlowFault } from './model/slowFaults.ts'
import { shareOf } from './share.ts'

/** A fault, and the share of the devices that have it or the one device. */
export interface FaultOrder {
  readonly course: FaultCourse
  readonly on: { readonly share: number } | { readonly bssid: string }
}

/** Share of the devices that have a fault if nothing else is said. */
const usualShare = 0.05

/** Parses `kind[:size[:duration]][@share or BSSID]`, such as `fouling:0.3:90d@0.1`; undefined for anything else. */
export function parseFaultOrder(text: string): FaultOrder | undefined {
  const [fault = '', on, ...rest] = text.split('@')
  const course = parseFault(fault)
  if (course === undefined || rest.length > 0) return undefined
  if (on === undefined) return { course, on: { share: usualShare } }
  const bssid = normaliseBssid(on)
  if (bssidPattern.test(bssid)) return { course, on: { bssid } }
  const share = Number(on)
  return on.trim() !== '' && share >= 0 && share <= 1 ? { course, on: { share } } : undefined
}

type Place = Pick<FleetDevice, 'bssid' | 'water_supply'>

/**
 * Returns the faults that a device has by the orders, which begin at a time (milliseconds UTC): always the same devices for
 * a kind of fault. Faults of a supply concern all its devices: the share is one of supplies, and a device stands for its
 * own.
 */
export const orderedFaults = (
  orders: readonly FaultOrder[],
  device: Place,
  fleet: ReadonlyMap<string, Place>,
  began: number,
): SlowFault[] =>
  orders.flatMap(({ course, on }) => {
    const isShared = supplyFaults.has(course.kind)
    const subject = isShared ? supplyOf(device) : device.bssid
    const isConcerned =
      'share' in on
        ? shareOf(subject, `fault ${course.kind}`) < on.share
        : subject === (isShared ? supplyOf(fleet.get(on.bssid)) : on.bssid)
    return isConcerned ? [{ ...course, began, seed: seedFrom(`${course.kind} ${device.bssid}`) }] : []
  })

/** Returns the name of a device's supply; a device without one is a supply of its own. */
const supplyOf = (device: Place | undefined) => device?.water_supply ?? device?.bssid ?? ''

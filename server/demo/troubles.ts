/**
 * The demo's troubles: a handful of devices with each slow fault, at different stages, and a supply whose water has changed,
 * so that a first look shows what readings reveal.
 */
import type { FleetDevice } from '../protocol/fleetFile.ts'
import { msPerDay } from '../../src/domain/time.ts'
import { unitFromFleet, type DeviceDescription } from '../../simulator/model/fleet.ts'
import { sensorFactor } from '../../simulator/model/sensors.ts'
import { effectsAt, flowAt } from '../../simulator/model/unit.ts'

interface Trouble {
  /** As in `--fault`. */
  readonly fault: string
  /** Days ago when it began, one for each device that has it. */
  readonly began: readonly [number, number, number]
  /** What the unit must have for it. */
  readonly boost?: number
  readonly tank?: number
}

const troubles: readonly Trouble[] = [
  { fault: 'fouling:0.35:90d', began: [85, 65, 50] },
  { fault: 'scaling:0.45:90d', began: [88, 75, 65] },
  { fault: 'oxidation:1:90d', began: [85, 65, 50] },
  { fault: 'oring:0.03:0d', began: [40, 12, 5] },
  { fault: 'prefilter:0.3:45d', began: [44, 30, 20] },
  { fault: 'sediment:0.3:90d', began: [85, 70, 60] },
  { fault: 'restrictor:0.5:40d', began: [40, 28, 18] },
  { fault: 'pump:0.4:60d', began: [58, 45, 35], boost: 2.5 },
  { fault: 'outlet-sensor:0.6:90d', began: [88, 70, 55] },
  { fault: 'inlet-sensor:-0.35:90d', began: [88, 75, 60] },
  { fault: 'flow-sensor:-0.3:60d', began: [58, 45, 30] },
  { fault: 'leak:0.5:0d', began: [20, 6, 2] },
  { fault: 'stuck-valve:0.5:0d', began: [9, 4, 1] },
  { fault: 'creep:6:60d', began: [80, 65, 50] },
  { fault: 'tank:0.95:60d', began: [100, 85, 70], tank: 12 },
  { fault: 'waterlogged:0.6:60d', began: [75, 60, 50], tank: 12 },
  { fault: 'litre-counter:-0.3:60d', began: [58, 45, 30] },
]

/** Every so many devices, one has a trouble; the first sixty still show every status (device.ts). */
const spacing = 6
const offset = 2

/** The supply whose water has become saltier, and when. */
const changed = { vendor: 0, supply: 'Altona', fault: 'feed:0.6:2d', began: 5 }

/** Devices of the fleet, from the first, among which those with troubles are. */
export const troubledDevices = spacing * troubles.length * 3

/** Returns the trouble of the device at an index of the fleet, and how many days ago it began. */
export function troubleAt(index: number): (Trouble & { readonly days: number }) | undefined {
  if (index % spacing !== offset) return undefined
  const slot = Math.floor(index / spacing)
  const trouble = troubles[slot % troubles.length]!
  const days = trouble.began[Math.floor(slot / troubles.length)]
  return days === undefined ? undefined : { ...trouble, days }
}

/** What the simulator knows of a demo device, and the server does not. */
export type Hidden = Pick<FleetDevice, 'slow_faults' | 'boost' | 'tank'>

/** Returns what is hidden in the device at an index; `now` is when the demo was created, milliseconds UTC. */
export function hiddenAt(index: number, vendor: number, supply: string | null, now: number): Hidden {
  const trouble = troubleAt(index)
  const daysAgo = (days: number) => new Date(now - days * msPerDay).toISOString()
  const slow_faults = [
    ...(trouble === undefined ? [] : [{ fault: trouble.fault, began: daysAgo(trouble.days) }]),
    ...(vendor === changed.vendor && supply === changed.supply
      ? [{ fault: changed.fault, began: daysAgo(changed.began) }]
      : []),
  ]
  return {
    ...(slow_faults.length > 0 ? { slow_faults } : {}),
    ...(trouble?.boost === undefined ? {} : { boost: trouble.boost }),
    ...(trouble?.tank === undefined ? {} : { tank: trouble.tank }),
  }
}

/** Returns the current values that a device shows with its faults; `sound` is its description without them. */
export function valuesWithFaults(sound: DeviceDescription, hidden: Hidden, seed: number, now: number) {
  const { spec, flashMemory } = unitFromFleet({ ...sound, ...hidden, slow_faults: [] }, seed, now)
  const faulty = { ...sound, ...hidden }
  const faults = unitFromFleet(faulty, seed, now).spec.faults
  const unit = { spec: { ...spec, faults }, flashMemory }
  const effects = effectsAt(unit, now)
  const flow = flowAt(unit, now)
  const feedTds = sound.feed_tds! * effects.supplyTds * effects.sensors.feedTds
  const permeateTds = flow.permeateTds * sensorFactor(spec.seed, 'permeateTds', now, effects)
  return {
    recovery_rate: (flow.permeate / flow.feed) * 100,
    rejection_rate: (1 - permeateTds / feedTds) * 100,
    feed_tds: feedTds,
    permeate_tds: permeateTds,
    pressure: sound.pressure! * effects.supplyPressure,
  }
}

/** The devices of supplies, by seed. */
import { msPerDay } from '../../../src/domain/time.ts'
import { random, seedFrom, type Random } from '../../../simulator/model/random.ts'
import { supplyNamed, supplySizes } from '../../../simulator/model/supplies.ts'
import { benchDevice, type BenchDevice } from './device.ts'

const [min, max] = supplySizes

export interface BenchSupply {
  readonly devices: readonly BenchDevice[]
  readonly rng: Random
  /** When its days begin: some day of a year, milliseconds UTC. */
  readonly start: number
}

/** Returns a supply of 3 to 50 devices; small ones are more common. `minDevices` is the minimum number of devices. */
export function benchSupply(seed: number, name: string, minDevices: number = min): BenchSupply {
  const rng = random(seedFrom(`${seed} ${name}`))
  const start = Date.UTC(2025, 0, 1) + rng.integer(0, 364) * msPerDay
  const size = Math.floor(minDevices * (max / minDevices) ** rng.next())
  const supply = supplyNamed(seed, name)
  return { rng, start, devices: Array.from({ length: size }, (_, place) => benchDevice(supply, place, seed, start)) }
}

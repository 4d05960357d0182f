/** Sizes of supplies: 3 to 50 devices, small ones more common. */
import type { Random } from '../../../simulator/model/random.ts'
import { supplySizes } from '../../../simulator/model/supplies.ts'

const [min, max] = supplySizes

export const supplySize = (rng: Random): number => Math.floor(min * (max / min) ** rng.next())

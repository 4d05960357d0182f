/** Units of the simulator's model for tests. */
import { unitFromFleet, generateDevice, type DeviceDescription } from '../../../simulator/model/fleet.ts'
import { resumeActivity } from '../../../simulator/model/advance.ts'
import { openUnit, type Unit } from '../../../simulator/model/unit.ts'

export const noon = Date.parse('2026-06-10T12:00:00Z')

/** Opens a generated unit at `noon`; `differing` replaces parts of its description. */
export function unitLike(
  differing: Partial<DeviceDescription> = {},
  { place = 0, seed = 1, commandsOnly = false }: { place?: number; seed?: number; commandsOnly?: boolean } = {},
): Unit {
  const { spec, flashMemory } = unitFromFleet({ ...generateDevice(seed, place), ...differing }, seed, noon)
  const unit = openUnit(spec, flashMemory, noon, { commandsOnly })
  resumeActivity(unit)
  return unit
}

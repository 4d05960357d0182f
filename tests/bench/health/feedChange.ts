/** The water of a whole supply changes: one shared change, and no finding of a device. */
import { sharedChanges } from '../../../src/domain/health/supply.ts'
import type { MembranePriors } from '../../../src/domain/health/types/context.ts'
import type { SupplyDay } from '../../../src/domain/health/types/supply.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { Method } from './pipeline.ts'
import { benchSupply } from './supplyFleet.ts'
import { runSupply } from './supplyRun.ts'

export interface FeedOutcome {
  supplies: number
  /** Supplies in which exactly one change was found, all changes found, and days until the first. */
  one: number
  changes: number
  readonly days: number[]
  /** Findings of their devices from the change on. */
  findings: number
}

const daysBefore = 60
const days = 120
/** Devices that a supply must have to be told from its devices. */
const minDevices = 6

/** Returns what a method makes of supplies whose TDS rises by 60 % within two days. */
export function runFeedChange(
  seed: number,
  supplies: number,
  method: Method,
  types: readonly MembranePriors[],
): FeedOutcome {
  const outcome: FeedOutcome = { supplies, one: 0, changes: 0, days: [], findings: 0 }
  for (let number = 0; number < supplies; number++) {
    const { devices, start } = benchSupply(seed, `feed ${number}`, minDevices)
    const began = start + daysBefore * msPerDay
    for (const device of devices)
      device.faults = [{ kind: 'feed', size: 0.6, ramp: 2 * msPerDay, began, seed: device.seed }]
    const history: SupplyDay[] = []
    const counts = new Map<number, number>()
    const first = Math.floor(began / msPerDay)
    let told: number | undefined
    runSupply(devices, { start, days }, [method], device => types[device.type]!, {
      supply(day) {
        history.push(day)
        if (told === undefined && sharedChanges(history.slice(-90)).length > 0) told = day.day
      },
      device({ index, day, pipeline }) {
        const count = pipeline.state?.count ?? 0
        if (day > first) outcome.findings += count - (counts.get(index) ?? 0)
        counts.set(index, count)
      },
    })
    const changes = sharedChanges(history)
    outcome.changes += changes.length
    if (changes.length === 1) outcome.one++
    if (told !== undefined) outcome.days.push(told - first)
  }
  return outcome
}

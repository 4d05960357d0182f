/** Devices without any fault: how often something is found all the same. */
import type { DiagnosisGroup } from '../../../src/domain/health/types/assessment.ts'
import type { MembranePriors } from '../../../src/domain/health/types/context.ts'
import { fixedThresholds, type Fixed } from './fixed.ts'
import type { Method } from './pipeline.ts'
import { benchSupply } from './supplyFleet.ts'
import { runSupply } from './supplyRun.ts'

/** Days of a device, and the first of them, which make its baseline and do not count. */
const days = 270
const learning = 30
const daysOfMonth = 30.4375

export interface Alarms {
  /** Device-months that are watched. */
  months: number
  count: number
  readonly byGroup: Partial<Record<DiagnosisGroup, number>>
}

/** Returns the false alarms of each method, and at last of fixed thresholds, in at least so many device-months. */
export function runHealthy(
  seed: number,
  months: number,
  methods: readonly Method[],
  types: readonly MembranePriors[],
): Alarms[] {
  const all = [...methods, undefined].map((): Alarms => ({ months: 0, count: 0, byGroup: {} }))
  for (let number = 0; all[0]!.months < months; number++) {
    const { devices, start } = benchSupply(seed, `healthy ${number}`)
    const seen = methods.map(() => devices.map(() => 0))
    const fixed: { alarm: Fixed; isOn: boolean }[] = devices.map(() => ({ alarm: fixedThresholds(), isOn: false }))
    const first = Math.floor(start / 86_400_000)
    runSupply(devices, { start, days }, methods, device => types[device.type]!, {
      device(view, method) {
        const { index, day, pipeline } = view
        const isWatched = day >= first + learning
        const alarms = all[method]!
        if (isWatched) alarms.months += 1 / daysOfMonth
        const count = pipeline.state?.count ?? 0
        if (count > seen[method]![index]!) {
          seen[method]![index] = count
          alarms.count++
          const { group } = pipeline.state!.open.at(-1)!
          alarms.byGroup[group] = (alarms.byGroup[group] ?? 0) + 1
        }
        if (!pipeline.isRaw) return
        const plain = all[methods.length]!
        if (isWatched) plain.months += 1 / daysOfMonth
        const own = fixed[index]!
        const isOn = own.alarm(view)
        // An alarm that goes on is one.
        if (isOn && !own.isOn) plain.count++
        own.isOn = isOn
      },
    })
  }
  return all
}

/** Returns the upper 95 % bound of a Poisson rate with this count, by Garwood's interval (Wilson and Hilferty's form). */
export function upperBound(count: number): number {
  const k = count + 1
  return k * (1 - 1 / (9 * k) + 1.6449 / (3 * Math.sqrt(k))) ** 3
}

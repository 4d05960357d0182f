/** Cartridges whose end is known: how well it was forecast on the way there. */
import { forecastsOf } from '../../../src/domain/health/forecast.ts'
import type { Forecast } from '../../../src/domain/health/types/assessment.ts'
import type { CartridgeKind } from '../../../src/domain/health/types/cartridges.ts'
import type { MembranePriors } from '../../../src/domain/health/types/context.ts'
import { msPerDay, msPerYear } from '../../../src/domain/time.ts'
import { effectsOf } from '../../../simulator/model/slowFaults.ts'
import type { BenchDevice } from './device.ts'
import { standardised } from './pipeline.ts'
import { benchSupply } from './supplyFleet.ts'
import { runSupply } from './supplyRun.ts'

/** A forecast and what came of it. */
export interface LifeOutcome {
  readonly kind: CartridgeKind
  readonly end: End
  readonly forecast: Forecast
  /** Days from the forecast to its due date, and to the actual end. */
  readonly expected: number
  readonly actual: number
  readonly early: number
  readonly late: number
}

const days = 300
/** Days on which forecasts are made, and those that must be left for one to count. */
const firstForecast = 75
const stride = 25
const minDaysLeft = 10
/** Day in whose time the baseline is made. */
const baselineDay = 20

/** What ends a device's cartridge. */
const ends = ['litres', 'fouling', 'prefilter', 'sediment'] as const
export type End = (typeof ends)[number]

/** Returns the outcomes of forecasts of the cartridges of so many supplies. */
export function runLives(seed: number, supplies: number, types: readonly MembranePriors[]): LifeOutcome[] {
  const outcomes: LifeOutcome[] = []
  for (let number = 0; number < supplies; number++) {
    const { devices, rng, start } = benchSupply(seed, `lives ${number}`)
    const first = Math.floor(start / msPerDay)
    const kinds = devices.map(device => {
      const end = device.boost > 0 ? 'litres' : rng.pick(ends)
      prepare(device, end, start, rng.between(0, 1))
      return end
    })
    const litres = devices.map(() => [] as number[])
    const made = devices.map(() => [] as { day: number; forecast: Forecast }[])
    runSupply(devices, { start, days }, [standardised], device => types[device.type]!, {
      device({ device, index, day, pipeline, neighbours }) {
        const used = litres[index]!
        used.push(pipeline.ended.permeate)
        if (pipeline.state === undefined || day < first + firstForecast || (day - first) % stride !== 0) return
        const total = used.reduce((sum, value) => sum + value, 0)
        const context = {
          ...pipeline.context(day, neighbours),
          cartridges: device.cartridges.map(one => (one.kind === 1 ? { ...one, litres: total } : one)),
          weekly_litres: weeksOf(used),
        }
        const kind = kinds[index] === 'litres' ? 1 : kinds[index] === 'fouling' ? 2 : 0
        const forecast = forecastsOf(pipeline.state, context).find(one => one.kind === kind)!
        made[index]!.push({ day, forecast })
      },
    })
    for (const [index, device] of devices.entries()) {
      const end = kinds[index]!
      const ended = end === 'litres' ? litresEnd(device, litres[index]!, first) : conditionEnd(device, end, first)
      if (ended === undefined) continue
      for (const { day, forecast } of made[index]!) {
        if (ended - day < minDaysLeft || forecast.basis === 'date') continue
        const left = (at: number) => at / msPerDay - day
        const { kind, due, early, late } = forecast
        outcomes.push({
          kind,
          end,
          forecast,
          expected: left(due),
          actual: ended - day,
          early: left(early),
          late: left(late),
        })
      }
    }
  }
  return outcomes
}

/** Lets a cartridge of a device end within the days or a while after, by what it is to end with. */
function prepare(device: BenchDevice, end: End, start: number, share: number): void {
  const far = { resource: 1e6, ttl: 1e4 }
  const rated = device.usage.litresADay * (130 + share * 160)
  device.cartridges = device.cartridges.map(one => ({
    ...one,
    ...far,
    // Before its own decline shows, a membrane is due by its date.
    ttl: one.kind === 2 ? 900 : far.ttl,
    installed_at: one.kind === 2 ? one.installed_at : start,
    ...(end === 'litres' && one.kind === 1 ? { resource: rated } : {}),
  }))
  // A pre-filter clogs from its first litre on, and a membrane fouls once something has changed.
  const began = start + (end === 'fouling' ? 25 + share * 30 : 0) * msPerDay
  const kind = end === 'litres' ? undefined : end
  if (kind !== undefined)
    device.faults = [{ kind, size: 0.4, ramp: (170 + share * 200) * msPerDay, began, seed: device.seed }]
}

/** Returns the litres of the last eight weeks, oldest first, per day. */
function weeksOf(used: readonly number[]): number[] {
  const weeks: number[] = []
  for (let end = used.length; end >= 7 && weeks.length < 8; end -= 7)
    weeks.unshift(used.slice(end - 7, end).reduce((sum, value) => sum + value, 0) / 7)
  return weeks
}

function litresEnd(device: BenchDevice, used: readonly number[], first: number): number | undefined {
  const { resource } = device.cartridges.find(({ kind }) => kind === 1)!
  let total = 0
  for (const [index, litres] of used.entries()) if ((total += litres) >= resource) return first + index
  return undefined
}

/** Losses at which a membrane and a pre-filter are worn, as ln. */
const worn = { fouling: Math.log(0.75), prefilter: Math.log(0.8), sediment: Math.log(0.8) } as const

/** Returns the day on which the true condition reaches the limit. */
function conditionEnd(device: BenchDevice, end: End, first: number): number | undefined {
  if (end === 'litres') return undefined
  const valueOn = (day: number) => {
    const at = day * msPerDay
    const effects = effectsOf(device.faults, at)
    const years = (at - device.installed) / msPerYear
    return end === 'fouling'
      ? Math.log(effects.waterPermeability * (1 - device.membrane.ageing.flowLoss) ** years)
      : Math.log(effects.prefilter)
  }
  const fresh = valueOn(first + baselineDay)
  for (let day = first + baselineDay; day < first + 2 * days; day++) if (valueOn(day) - fresh <= worn[end]) return day
  return undefined
}

/** Days of made-up devices, whose channels do what a test says. */
import { assess } from '../../../../src/domain/health/assess.ts'
import { addObservation, emptySums } from '../../../../src/domain/health/daySums.ts'
import { stepDay } from '../../../../src/domain/health/stepDay.ts'
import type { Assessment } from '../../../../src/domain/health/types/assessment.ts'
import { observedChannels, type ByChannel } from '../../../../src/domain/health/types/channels.ts'
import type { HealthContext } from '../../../../src/domain/health/types/context.ts'
import type { DaySums, HealthReading, Observation } from '../../../../src/domain/health/types/observations.ts'
import type { HealthState } from '../../../../src/domain/health/types/state.ts'
import { random } from '../../../../simulator/model/random.ts'

/** A reading two and a half minutes into a draw, with all sensors. */
export const settledReading: HealthReading = {
  at: 0,
  feed: 0.5,
  permeate: 0.2,
  feed_flow: 1,
  permeate_flow: 0.4,
  feed_tds: 300,
  permeate_tds: 20,
  pressure: 4,
  temperature: 15,
  run: 150,
  elapsed: 30,
  resting: 4.2,
}

/** The first local day. */
export const first = 20_000

export const usualContext: HealthContext = {
  day: first,
  neighbours: {},
  priors: { flow_a_year: -0.09, salt_a_year: 0.1, spread: 0.04, water_k: 0, salt_k: 0 },
  cartridges: [
    { position: 0, kind: 0, installed_at: (first - 100) * 86_400_000, litres: 1000, resource: 12_000, ttl: 4000 },
    { position: 1, kind: 2, installed_at: (first - 100) * 86_400_000, litres: 1000, resource: 16_000, ttl: 4000 },
  ],
  boosted: false,
  bypass: 0,
  bypass_share: 0,
}

const healthy = { a: -1.5, b: -3, brief: -2.6, r: -0.8, h: -0.02, f: 5.8, p: 1.4 } as const

/** Returns the sums of a day of 20 observations whose channels differ from healthy ones by `change`. */
export function daySums(seed: number, change: ByChannel<number> = {}): DaySums {
  const rng = random(seed)
  const noise = () => 0.015 * (rng.next() + rng.next() + rng.next() - 1.5) * 2
  const sums = emptySums()
  for (let number = 0; number < 20; number++) {
    const values: Observation['values'] = {}
    for (const channel of observedChannels) {
      values[channel] = healthy[channel] + (change[channel] ?? 0) + noise()
    }
    addObservation(sums, {
      values,
      flux: null,
      temperature: 15,
      passage: 0.05,
      run: 150,
      elapsed: 30,
      flow: 0.8,
      feed: 1,
      permeate: 0.4,
    })
  }
  return sums
}

export interface Course {
  readonly days: number
  /** Returns the change of the channels on a day, counted from 0; null for a day without data. */
  readonly change?: (day: number) => ByChannel<number> | null
  readonly context?: (day: number) => Partial<HealthContext>
  /** Changes the sums of a day. */
  readonly sums?: (sums: DaySums, day: number) => void
}

export interface Ran {
  readonly state: HealthState
  readonly assessment: Assessment
  /** The day on which the first finding was opened, counted from 0. */
  readonly found: number | undefined
}

/** Runs a device through its days. */
export function run({ days, change = () => ({}), context = () => ({}), sums: edit }: Course): Ran {
  let state: HealthState | undefined
  let found: number | undefined
  let last = usualContext
  for (let day = 0; day < days; day++) {
    const values = change(day)
    const sums = values === null ? undefined : daySums(day + 1, values)
    if (sums !== undefined) edit?.(sums, day)
    last = { ...usualContext, ...context(day), day: first + day }
    state = stepDay(state, sums, last)
    if (state.open.length > 0) found ??= day
  }
  return { state: state!, assessment: assess(state!, last), found }
}

/** Returns a change that begins on a day and has its size after `length` more; at once if that is 0. */
export const from =
  (begin: number, size: ByChannel<number>, length = 0) =>
  (day: number): ByChannel<number> => {
    const share = day < begin ? 0 : length === 0 ? 1 : Math.min(1, (day - begin) / length)
    return Object.fromEntries(Object.entries(size).map(([channel, value]) => [channel, value * share]))
  }

/** Devices with a known fault among healthy neighbours: when it is found, and what it is taken for. */
import { findingsOf } from '../../../src/domain/health/findings.ts'
import { observedOf } from '../../../src/domain/health/membrane.ts'
import type { Cause } from '../../../src/domain/health/types/assessment.ts'
import type { MembranePriors } from '../../../src/domain/health/types/context.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { Random } from '../../../simulator/model/random.ts'
import type { SlowFaultKind } from '../../../simulator/model/slowFaults.ts'
import { cases, rampOf, type Case } from './cases.ts'
import type { BenchDevice } from './device.ts'
import { fixedThresholds, type Fixed } from './fixed.ts'
import type { Method } from './pipeline.ts'
import { runSupply } from './supplyRun.ts'
import { benchSupply } from './supplyFleet.ts'

/** What a method made of one fault. */
export interface Outcome {
  readonly of: Case
  readonly device: BenchDevice
  /** Days from its beginning to its finding; Infinity if there was none. */
  found: number
  /** Causes a week after that with their probabilities, most probable first; empty if the finding was closed by then. */
  causes: { cause: Cause; confidence: number }[]
  /** What the diagnosis was made from, for the membrane's group. */
  observed?: ReturnType<typeof observedOf>
  /** Days from its real beginning to the likely one of the finding, and whether that lies in the interval. */
  begin?: { readonly off: number; readonly within: boolean }
}

/** Share of a supply's devices that get a fault, and the days before and after it begins. */
const faultyShare = 0.25
const daysBefore = [45, 75] as const
const daysAfter = 115
/** Days after a finding at which its cause counts. */
const later = 7

/** Returns the outcomes of at least `each` devices for each case, by method; the last list is of fixed thresholds. */
export function runFaults(
  seed: number,
  each: number,
  methods: readonly Method[],
  types: readonly MembranePriors[],
): Outcome[][] {
  const wanted = new Map(cases.map(one => [one, each]))
  const outcomes: Outcome[][] = [...methods.map(() => []), []]
  for (let number = 0; [...wanted.values()].some(count => count > 0); number++) {
    const { devices, rng, start } = benchSupply(seed, `faults ${number}`)
    const faulty = new Map<number, Case>()
    for (const [index, device] of devices.entries()) {
      if (faulty.size >= Math.max(1, devices.length * faultyShare)) break
      const picked = pick(device, wanted, rng)
      if (picked === undefined) continue
      wanted.set(picked, wanted.get(picked)! - 1)
      const began = start + rng.integer(...daysBefore) * msPerDay
      device.faults = [{ kind: picked.kind, size: picked.size, ramp: rampOf(picked), began, seed: device.seed }]
      // Every other O-ring has been moved by somebody who replaced a filter.
      if (picked.kind === 'oring' && rng.chance(0.5)) device.serviced = [Math.floor(began / msPerDay)]
      faulty.set(index, picked)
    }
    runOne(devices, faulty, start, methods, types, outcomes)
  }
  return outcomes
}

/** Kinds for devices that have a tank. */
const tankFaults: ReadonlySet<SlowFaultKind> = new Set(['tank', 'waterlogged'])

/** Returns a case that is still wanted and that the device can have: of pumps and tanks first, because few devices have one. */
function pick(device: BenchDevice, wanted: ReadonlyMap<Case, number>, rng: Random): Case | undefined {
  const open = [...wanted].filter(([, count]) => count > 0).map(([one]) => one)
  const pump = open.find(({ kind }) => kind === 'pump')
  if (pump !== undefined && device.boost > 0) return pump
  const tank = open.find(({ kind }) => tankFaults.has(kind))
  if (tank !== undefined && device.tank !== undefined) return tank
  const others = open.filter(
    ({ kind }) =>
      kind !== 'pump' &&
      !tankFaults.has(kind) &&
      !(kind === 'prefilter' && device.boost > 0) &&
      !(kind === 'scaling' && device.langelier < 0),
  )
  return others.length === 0 ? undefined : rng.pick(others)
}

function runOne(
  devices: readonly BenchDevice[],
  faulty: ReadonlyMap<number, Case>,
  start: number,
  methods: readonly Method[],
  types: readonly MembranePriors[],
  all: Outcome[][],
): void {
  const days = daysBefore[1] + daysAfter
  const own = all.map(() => new Map<number, Outcome>())
  const fixed = new Map<number, Fixed>()
  for (const [index, of] of faulty) {
    for (const outcomes of own) outcomes.set(index, { of, device: devices[index]!, found: Infinity, causes: [] })
    fixed.set(index, fixedThresholds())
  }
  runSupply(devices, { start, days }, methods, device => types[device.type]!, {
    device(view, method) {
      const { index, day, device, pipeline, neighbours } = view
      const outcome = own[method]!.get(index)
      if (outcome === undefined) return
      const began = Math.floor((device.faults[0]!.began + device.usage.utcOffset) / msPerDay)
      const { state } = pipeline
      if (pipeline.isRaw) {
        const plain = own[methods.length]!.get(index)!
        if (fixed.get(index)!(view) && day >= began && plain.found === Infinity) plain.found = day - began
      }
      if (state === undefined || day < began) return
      if (outcome.found === Infinity && state.open.some(({ day: opened }) => opened >= began))
        outcome.found = day - began
      if (day !== began + outcome.found + later) return
      const context = pipeline.context(day, neighbours)
      const finding = findingsOf(state, context).find(({ detected }) => detected >= began)
      if (finding === undefined) return
      outcome.causes = [{ cause: finding.cause, confidence: finding.confidence }, ...finding.alternatives]
      const open = state.open.find(({ number }) => number === finding.number)!
      if (open.group === 'membrane') outcome.observed = observedOf(state, context, open)
      const { early, likely, late } = finding.began
      outcome.begin = { off: likely - began, within: early <= began && began <= late }
    },
  })
  for (const [number, outcomes] of own.entries()) all[number]!.push(...outcomes.values())
}

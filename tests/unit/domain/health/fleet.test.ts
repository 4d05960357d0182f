/** A small fleet by physics, with a fixed seed: what the bench measures at length. */
import { expect, test } from 'vitest'
import { findingsOf } from '../../../../src/domain/health/findings.ts'
import { msPerDay } from '../../../../src/domain/time.ts'
import type { SlowFaultKind } from '../../../../simulator/model/slowFaults.ts'
import { standardised } from '../../../bench/health/pipeline.ts'
import { benchSupply } from '../../../bench/health/supplyFleet.ts'
import { runSupply } from '../../../bench/health/supplyRun.ts'

const priors = { flow_a_year: -0.09, salt_a_year: 0.1, spread: 0.04, water_k: -300, salt_k: 500 }
const daysBefore = 50

function runFleet(kinds: readonly (readonly [SlowFaultKind, number, number])[], days: number) {
  const { devices, start } = benchSupply(7, 'unit', 10)
  const fleet = devices.slice(0, 10)
  for (const [index, [kind, size, length]] of kinds.entries())
    fleet[index]!.faults = [{ kind, size, ramp: length * msPerDay, began: start + daysBefore * msPerDay, seed: index }]
  const causes = new Map<number, string>()
  runSupply(fleet, { start, days }, [standardised], () => priors, {
    device({ index, day, pipeline, neighbours }) {
      const { state } = pipeline
      if (state === undefined || state.open.length === 0 || day % 5 > 0) return
      causes.set(index, findingsOf(state, pipeline.context(day, neighbours))[0]!.cause)
    },
  })
  return causes
}

test('a healthy supply has no findings in half a year', () => {
  expect(runFleet([], 180)).toEqual(new Map())
})

test('troubles are found on their devices, and on no other', () => {
  const causes = runFleet(
    [
      ['fouling', 0.35, 60],
      ['restrictor', 0.5, 40],
      ['leak', 0.5, 0],
    ],
    120,
  )
  expect([...causes].toSorted(([one], [other]) => one - other)).toEqual([
    [0, 'fouling'],
    [1, 'restrictor_clogged'],
    [2, 'leak'],
  ])
})

/** The health of a device with one finding, for tests of what shows it. */
import type { Finding } from '../../../src/api/contract/findings.ts'
import type { DeviceHealth } from '../../../src/api/contract/health/device.ts'

const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString()

export const fouling: Finding = {
  _id: 'f1',
  bssid: 'A4',
  description: 'Kitchen',
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  cause: 'fouling',
  position: 2,
  severity: 'act',
  confidence: 52,
  alternatives: [
    { cause: 'scaling', confidence: 38 },
    { cause: 'unknown', confidence: 10 },
  ],
  evidence: [
    {
      channel: 'b',
      value: 0.2,
      error: 0.02,
      unit: 'ln',
      baseline: Math.log(0.05),
      neighbours: null,
      days: 28,
      expected: [0, 0.1],
    },
    {
      channel: 'a',
      value: Math.log(0.86),
      error: 0.01,
      unit: 'ln',
      baseline: Math.log(0.197),
      neighbours: { n: 7, median: Math.log(0.99) },
      days: 30,
      expected: [Math.log(0.85), Math.log(0.9)],
    },
  ],
  tempo: 'ramp',
  detected_at: at(80),
  told_at: at(81),
  began_early: at(50),
  began_at: at(60),
  began_late: at(70),
  state: 'open',
  shelved_until: null,
  reason: null,
  verdict: null,
  login: null,
  ended_at: null,
}

/** What the last days of a device were like. */
export const lastDays: NonNullable<DeviceHealth['rated_flow']> = {
  flow: 0.4,
  rated: 0.5,
  pressure: 4,
  temperature: 15,
  tds: 300,
  recovery: 0.4,
  permeate_tds: 20,
  rated_tds: 31,
}

/** Returns the health of a device with this finding, a table of ninety days and two forecasts. */
export const healthOf = (of: Partial<DeviceHealth> = {}): DeviceHealth => ({
  score: 42,
  state: 'act',
  worst: 'a',
  learned: 8,
  pending: false,
  rinsed: null,
  correction: null,
  first_seen: null,
  salt_hidden: false,
  stale: [],
  defective_sensors: [],
  trends: { a: { baseline: Math.log(0.197), level: Math.log(0.86), deviation: 0.01, error: 0.035 } },
  points: Array.from({ length: 90 }, (_, day) => ({
    at: at(day),
    days: 1,
    values: { a: -0.0017 * day, b: 0.001 * day },
    errors: { a: 0.03, b: 0.05 },
    measured: {},
  })),
  neighbours: [],
  thresholds: { a: 0.12, b: 0.2 },
  replacements: [
    { at: at(0), position: 3 },
    { at: at(20), position: 1 },
  ],
  findings: [fouling],
  water: null,
  scaling: null,
  rated_flow: null,
  forecasts: [
    {
      position: 1,
      due_at: at(102),
      early_at: at(95),
      late_at: at(130),
      basis: 'litres',
      like_ends: null,
      typical: false,
    },
    {
      position: 3,
      due_at: at(87),
      early_at: at(80),
      late_at: at(95),
      basis: 'condition',
      like_ends: null,
      typical: true,
    },
  ],
  coverage: [],
  past_forecasts: [],
  ...of,
})

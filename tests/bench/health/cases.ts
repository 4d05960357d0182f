/** The faults of the bench with their final sizes and days, and which causes count as right. */
import type { Cause, DiagnosisGroup } from '../../../src/domain/health/types/assessment.ts'
import { msPerDay } from '../../../src/domain/time.ts'
import type { SlowFaultKind } from '../../../simulator/model/slowFaults.ts'

export interface Case {
  readonly name: string
  readonly kind: SlowFaultKind
  readonly size: number
  /** Days until it has its size; 0 for a step. */
  readonly days: number
  readonly cause: Cause
  readonly group: DiagnosisGroup
  /** Largest median of the days to its detection. */
  readonly aim?: number
  /** Share of the ramp at which flow has lost 30 % or salt passage has doubled: until then it must be found. */
  readonly harm?: number
}

export const cases: readonly Case[] = [
  {
    name: 'fouling 30 %/90',
    kind: 'fouling',
    size: 0.3,
    days: 90,
    cause: 'fouling',
    group: 'membrane',
    aim: 45,
    harm: 1,
  },
  {
    name: 'fouling 30 %/30',
    kind: 'fouling',
    size: 0.3,
    days: 30,
    cause: 'fouling',
    group: 'membrane',
    aim: 16,
    harm: 1,
  },
  { name: 'scaling 45 %/90', kind: 'scaling', size: 0.45, days: 90, cause: 'scaling', group: 'membrane', harm: 0.776 },
  { name: 'oxidation ×2/90', kind: 'oxidation', size: 1, days: 90, cause: 'oxidation', group: 'membrane', harm: 1 },
  { name: 'O-ring 3 %', kind: 'oring', size: 0.03, days: 0, cause: 'oring', group: 'membrane', aim: 4 },
  { name: 'O-ring 1.5 %', kind: 'oring', size: 0.015, days: 0, cause: 'oring', group: 'membrane', aim: 4 },
  { name: 'pre-filter 30 %/45', kind: 'prefilter', size: 0.3, days: 45, cause: 'prefilter', group: 'pressure' },
  {
    name: 'restrictor 50 %/40',
    kind: 'restrictor',
    size: 0.5,
    days: 40,
    cause: 'restrictor_clogged',
    group: 'membrane',
    aim: 17,
  },
  { name: 'pump 30 %/60', kind: 'pump', size: 0.3, days: 60, cause: 'pump', group: 'pressure' },
  {
    name: 'outlet sensor +60 %/90',
    kind: 'outlet-sensor',
    size: 0.6,
    days: 90,
    cause: 'outlet_tds_sensor',
    group: 'membrane',
  },
  {
    name: 'inlet sensor -35 %/90',
    kind: 'inlet-sensor',
    size: -0.35,
    days: 90,
    cause: 'inlet_tds_sensor',
    group: 'membrane',
  },
  {
    name: 'flow sensor -25 %/60',
    kind: 'flow-sensor',
    size: -0.25,
    days: 60,
    cause: 'flow_sensor',
    group: 'membrane',
  },
  {
    name: 'litre counter -25 %/60',
    kind: 'litre-counter',
    size: -0.25,
    days: 60,
    cause: 'flow_sensor',
    group: 'membrane',
  },
  { name: 'tank precharge lost/60', kind: 'tank', size: 1, days: 60, cause: 'tank', group: 'tank' },
  { name: 'tank waterlogged 50 %/60', kind: 'waterlogged', size: 0.5, days: 60, cause: 'tank', group: 'tank' },
  { name: 'leak 0.5 l/h', kind: 'leak', size: 0.5, days: 0, cause: 'leak', group: 'rest' },
  { name: 'valve stuck', kind: 'stuck-valve', size: 1, days: 0, cause: 'valve_stuck', group: 'rest' },
]

export const rampOf = ({ days }: Case): number => days * msPerDay

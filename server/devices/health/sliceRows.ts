/** What a step stores, as rows of its statement's parameters. */
import type { DayScore } from '../../../src/domain/health/history/scores.ts'
import { isCritical } from '../../../src/domain/health/score.ts'
import type { Assessment, Finding, Forecast } from '../../../src/domain/health/types/assessment.ts'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import type { SupplyDay, SharedChange } from '../../../src/domain/health/types/supply.ts'
import { isoOf, msPerDay, msPerHour } from '../../../src/domain/time.ts'
import type { ColumnOf } from '../../db/columnArrays.ts'
import { newId } from '../../db/id.ts'
import type { Place } from '../../db/packed.ts'
import type { ShownHealth, Volume } from '../../db/schema/health.ts'
import type { FollowedLives } from './lives.ts'
import type { FollowedForecasts } from './outcomes.ts'

export interface SteppedDevice {
  readonly bssid: string
  readonly vendor_id: string
  readonly supply_key: string
  readonly due_at: Date
  /** When its newest day was to be stepped: earlier than now while it is stepped through its past. */
  readonly stepped_at: Date
  readonly state: HealthState | undefined
  readonly baselines: ByChannel<number>
  readonly levels: ByChannel<number>
  readonly boosted: boolean
  readonly earlier_findings: number
  /** Undefined if they are as stored. */
  readonly volumes: readonly Volume[] | undefined
  readonly scores: readonly DayScore[] | undefined
  /** By how many points the score has moved in a month; null if by few. */
  readonly change: number | null
  /** Undefined before the first day with data. */
  readonly assessment: Assessment | undefined
  /** The same without the findings that a person has set aside. */
  readonly shown: Assessment | undefined
  readonly followed: FollowedForecasts
  readonly lives: FollowedLives
}

export interface SteppedSupply {
  readonly vendor_id: string
  readonly supply_key: string
  readonly water_supply: string | null
  /** Its new days. */
  readonly days: readonly SupplyDay[]
  readonly changes: readonly SharedChange[]
}

export interface SteppedSlice {
  readonly devices: readonly SteppedDevice[]
  readonly supplies: readonly SteppedSupply[]
}

const isoOfDay = (day: number) => isoOf(day * msPerDay)

/** A stepped device, and where its state is among those of the slice. */
type StoredDevice = SteppedDevice & Place

const firstFinding = ({ shown }: SteppedDevice) => shown?.findings[0]
const nextForecast = ({ shown }: SteppedDevice) =>
  shown?.forecasts.reduce<Forecast | undefined>((one, other) => (one && one.due <= other.due ? one : other), undefined)

/** Returns a column's value as JSON. What is null or undefined is no JSON, so that the column is null. */
const jsonOrNull =
  (valueOf: (device: SteppedDevice) => object | null | undefined) =>
  (device: SteppedDevice): string | null => {
    const value = valueOf(device)
    return value ? JSON.stringify(value) : null
  }

export const deviceColumns: readonly ColumnOf<StoredDevice>[] = [
  { name: 'bssid', type: 'key', value: ({ bssid }) => bssid },
  { name: 'supply_key', type: 'text', value: ({ supply_key }) => supply_key },
  { name: 'next_at', type: 'time', value: ({ due_at }) => due_at.getTime() },
  { name: 'state_at', type: 'whole', value: ({ at }) => at },
  { name: 'state_length', type: 'whole', value: ({ length }) => length },
  { name: 'day', type: 'whole', value: ({ state }) => state?.day ?? null },
  { name: 'baselines', type: 'json', value: ({ baselines }) => JSON.stringify(baselines) },
  { name: 'levels', type: 'json', value: ({ levels }) => JSON.stringify(levels) },
  { name: 'boosted', type: 'truth', value: ({ boosted }) => boosted },
  { name: 'volumes', type: 'json', value: jsonOrNull(({ volumes }) => volumes) },
  { name: 'scores', type: 'json', value: jsonOrNull(({ scores }) => scores) },
  { name: 'shown', type: 'json', value: jsonOrNull(detailsOf) },
  { name: 'health_score', type: 'whole', value: ({ shown }) => shown?.score ?? null },
  { name: 'health_state', type: 'key', value: ({ shown }) => shown?.state ?? 'learning' },
  { name: 'health_cause', type: 'key', value: device => firstFinding(device)?.cause ?? null },
  { name: 'health_change', type: 'whole', value: ({ change }) => change },
  { name: 'due_at', type: 'time', value: device => nextForecast(device)?.due ?? null },
]

/** Returns what lists show of a device besides its columns; null before its first day with data. */
function detailsOf(device: SteppedDevice): ShownHealth | null {
  const { shown } = device
  if (shown === undefined) return null
  const [first, next] = [firstFinding(device), nextForecast(device)]
  return {
    confidence: first?.confidence ?? null,
    since: first ? isoOfDay(first.began.likely) : null,
    due_early: next ? isoOf(next.early) : null,
    due_late: next ? isoOf(next.late) : null,
    worst: shown.worst,
    learned: shown.learned,
  }
}

export const findingRows = ({ bssid, vendor_id, earlier_findings, assessment, stepped_at }: SteppedDevice) =>
  (assessment?.findings ?? []).map((finding: Finding) => ({
    id: newId(),
    bssid,
    vendor_id,
    number: earlier_findings + finding.number,
    group: finding.group,
    cause: finding.cause,
    position: finding.position ?? null,
    severity: finding.severity,
    tempo: finding.tempo,
    confidence: finding.confidence,
    claimed_cause: finding.claimed.cause,
    claimed_confidence: finding.claimed.confidence,
    alternatives: finding.alternatives,
    evidence: finding.evidence,
    size: Math.max(...finding.evidence.map(({ value }) => Math.abs(value))),
    detected_at: isoOfDay(finding.detected),
    began_early: isoOfDay(finding.began.early),
    began_at: isoOfDay(finding.began.likely),
    began_late: isoOfDay(finding.began.late),
    told_at: isCritical(finding) ? stepped_at.toISOString() : null,
  }))

export const forecastColumns: readonly ColumnOf<Forecast & { readonly bssid: string }>[] = [
  { name: 'bssid', type: 'key', value: ({ bssid }) => bssid },
  { name: 'position', type: 'whole', value: ({ position }) => position },
  { name: 'due_at', type: 'time', value: ({ due }) => due },
  { name: 'early_at', type: 'time', value: ({ early }) => early },
  { name: 'late_at', type: 'time', value: ({ late }) => late },
  { name: 'basis', type: 'key', value: ({ basis }) => basis },
  { name: 'like_ends', type: 'whole', value: ({ like_ends }) => like_ends },
  { name: 'typical', type: 'truth', value: ({ typical }) => typical },
]

export const forecastRows = ({ bssid, shown }: SteppedDevice) =>
  (shown?.forecasts ?? []).map(forecast => ({ ...forecast, bssid }))

export const supplyDayRows = ({ supply_key, days }: SteppedSupply) =>
  days.map(({ day, medians }) => ({ supply_key, day, medians }))

/** Days after which a change of a supply is no news any more: it was found in a past that is stepped at once. */
const newsDays = 7

/** Returns when people were told of what a day showed: now, or an hour after the end of an old day. */
function toldAt(found: number, now: Date): Date {
  const usual = (found + 1) * msPerDay + msPerHour
  return now.getTime() - usual <= newsDays * msPerDay ? now : new Date(usual)
}

export const changeRows = ({ supply_key, vendor_id, water_supply, changes }: SteppedSupply, now: Date) =>
  changes.map(({ cause, began, found, value, devices, ended }) => ({
    supply_key,
    cause,
    began_at: isoOfDay(began),
    vendor_id,
    water_supply,
    value,
    devices,
    ended_at: ended === undefined ? null : isoOfDay(ended),
    told_at: toldAt(found, now).toISOString(),
  }))

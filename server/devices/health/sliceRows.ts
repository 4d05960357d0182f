/** What a step stores, as rows of its statement's parameters. */
import type { DayScore } from '../../../src/domain/health/history/scores.ts'
import { findingSize } from '../../../src/domain/health/findingParts.ts'
import { isCritical } from '../../../src/domain/health/score.ts'
import type { Assessment, Finding, Forecast } from '../../../src/domain/health/types/assessment.ts'
import type { ByChannel } from '../../../src/domain/health/types/channels.ts'
import type { HealthState } from '../../../src/domain/health/types/state.ts'
import type { SupplyDay, SharedChange } from '../../../src/domain/health/types/supply.ts'
import { isoOf, msPerDay, msPerHour } from '../../../src/domain/time.ts'
import type { ColumnOf } from '../../db/columnArrays.ts'
import { newId } from '../../db/id.ts'
import { pack, type Place } from '../../db/packed.ts'
import type { ShownHealth, Volume } from '../../db/schema/health.ts'
import type { FollowedLives } from './lives.ts'
import { firstFinding, hasMoved, nextForecast, noticedRow, type ShownRow } from './noticed.ts'
import type { FollowedForecasts } from './outcomes.ts'
import type { DueDevice } from './slice.ts'

/** A device after its days. */
export interface EndedDevice {
  readonly bssid: string
  readonly vendor_id: string
  readonly supply_key: string
  readonly due_at: Date
  /** When its newest day was to be stepped: earlier than now while it is stepped through its past. */
  readonly stepped_at: Date
  readonly state: HealthState | undefined
  /** Undefined if they are as stored. */
  readonly baselines: ByChannel<number> | undefined
  readonly levels: ByChannel<number>
  readonly boosted: boolean
  readonly earlier_findings: number
  /** Whether days are left that it was stepped through before: what people see is stored once they are done. */
  readonly is_anew: boolean
  /** Undefined if they are as stored. */
  readonly volumes: readonly Volume[] | undefined
  readonly scores: readonly DayScore[] | undefined
  /** By how many points the score has moved in a month; null if by few. */
  readonly change: number | null
  /** Undefined before the first day with data. */
  readonly assessment: Assessment | undefined
  /** The same without the findings that a person has set aside. */
  readonly shown: Assessment | undefined
  /** Numbers of the findings that are no longer shelved or dismissed, because their time is over or they have grown. */
  readonly returned: readonly number[]
  /** Of all of its cartridges, also before the first day with data. */
  readonly forecasts: readonly Forecast[]
  readonly followed: FollowedForecasts
  readonly lives: FollowedLives
}

/** What is stored of a device. Texts are JSON. */
export interface SteppedDevice extends Omit<
  EndedDevice,
  | 'supply_key'
  | 'state'
  | 'is_anew'
  | 'baselines'
  | 'levels'
  | 'volumes'
  | 'scores'
  | 'assessment'
  | 'shown'
  | 'returned'
  | 'change'
> {
  /** Null if it is as stored, as are those below. */
  readonly supply_key: string | null
  readonly state: Uint8Array | undefined
  readonly day: number | null
  readonly baselines: string | null
  readonly levels: string
  readonly volumes: string | null
  readonly scores: string | null
  readonly shown: string | null
  /** What lists show, if it has changed noticeably. */
  readonly row: ShownRow | undefined
  readonly findings: readonly FindingRow[]
  readonly resolved: readonly StoredFinding[]
  readonly returned: readonly StoredFinding[]
  /** Whether one of its findings begins, ends or leaves its shelf, which lists of findings show also where its own row stays as it is. */
  readonly has_news: boolean
  readonly forecasts: readonly ForecastRow[]
  readonly removed: readonly RemovedForecast[]
}

interface StoredFinding {
  readonly bssid: string
  readonly number: number
}
type ForecastRow = Forecast & { readonly bssid: string }
interface RemovedForecast {
  readonly bssid: string
  readonly position: number
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

/** Returns a value as JSON. What is null or undefined is no JSON, so that the column is null. */
const jsonOrNull = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null)

/** Returns what is stored of a device after its days. */
export function steppedDevice(ended: EndedDevice, device: DueDevice, now: number): SteppedDevice {
  const { bssid, state, is_anew } = ended
  // Findings from before a recomputation are kept until it has finished.
  const isStored = ({ number }: { readonly number: number }) => !is_anew || number > ended.earlier_findings
  const findings = findingRows(ended).filter(isStored)
  const found = new Set(findings.map(({ number }) => number))
  const resolved =
    state === undefined
      ? []
      : device.unresolved.map(number => ({ bssid, number })).filter(each => isStored(each) && !found.has(each.number))
  const returned = ended.returned.map(number => ({ bssid, number: ended.earlier_findings + number })).filter(isStored)
  const forecasts = is_anew ? undefined : ended.forecasts
  return {
    bssid,
    vendor_id: ended.vendor_id,
    due_at: ended.due_at,
    stepped_at: ended.stepped_at,
    boosted: ended.boosted,
    earlier_findings: ended.earlier_findings,
    followed: ended.followed,
    lives: ended.lives,
    supply_key: ended.supply_key === device.supply_key ? null : ended.supply_key,
    state: state && pack(state),
    day: state?.day ?? null,
    baselines: jsonOrNull(ended.baselines),
    levels: JSON.stringify(ended.levels),
    volumes: jsonOrNull(ended.volumes),
    scores: jsonOrNull(ended.scores),
    shown: is_anew ? null : jsonOrNull(detailsOf(ended)),
    row: is_anew ? undefined : noticedRow(ended, device, now),
    findings,
    resolved,
    returned,
    has_news:
      resolved.length > 0 || returned.length > 0 || findings.some(({ number }) => !device.unresolved.includes(number)),
    forecasts: (forecasts ?? [])
      .filter(forecast => hasMoved(forecast, device.forecasts, now))
      .map(forecast => ({ ...forecast, bssid })),
    removed: forecasts
      ? device.forecasts
          .filter(({ position }) => !forecasts.some(forecast => forecast.position === position))
          .map(({ position }) => ({ bssid, position }))
      : [],
  }
}

export const deviceColumns: readonly ColumnOf<StoredDevice>[] = [
  { name: 'bssid', type: 'key', value: ({ bssid }) => bssid },
  { name: 'supply_key', type: 'text', value: ({ supply_key }) => supply_key },
  { name: 'next_at', type: 'time', value: ({ due_at }) => due_at.getTime() },
  { name: 'state_at', type: 'whole', value: ({ at }) => at },
  { name: 'state_length', type: 'whole', value: ({ length }) => length },
  { name: 'day', type: 'whole', value: ({ day }) => day },
  { name: 'baselines', type: 'json', value: ({ baselines }) => baselines },
  { name: 'levels', type: 'json', value: ({ levels }) => levels },
  { name: 'boosted', type: 'truth', value: ({ boosted }) => boosted },
  { name: 'volumes', type: 'json', value: ({ volumes }) => volumes },
  { name: 'scores', type: 'json', value: ({ scores }) => scores },
  { name: 'shown', type: 'json', value: ({ shown }) => shown },
]

export const rowColumns: readonly ColumnOf<ShownRow>[] = [
  { name: 'bssid', type: 'key', value: ({ bssid }) => bssid },
  { name: 'health_score', type: 'whole', value: ({ score }) => score },
  { name: 'health_state', type: 'key', value: ({ state }) => state },
  { name: 'health_cause', type: 'key', value: ({ cause }) => cause },
  { name: 'health_change', type: 'whole', value: ({ change }) => change },
  { name: 'due_at', type: 'time', value: ({ due }) => due },
]

/** Returns what lists show of a device besides its columns; null before its first day with data. */
function detailsOf(device: EndedDevice): ShownHealth | null {
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
    stale: shown.stale.length > 0,
  }
}

type FindingRow = ReturnType<typeof findingRows>[number]
const findingRows = ({ bssid, vendor_id, earlier_findings, assessment, stepped_at }: EndedDevice) =>
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
    size: findingSize(finding),
    detected_at: isoOfDay(finding.detected),
    began_early: isoOfDay(finding.began.early),
    began_at: isoOfDay(finding.began.likely),
    began_late: isoOfDay(finding.began.late),
    told_at: isCritical(finding) ? stepped_at.toISOString() : null,
  }))

export const forecastColumns: readonly ColumnOf<ForecastRow>[] = [
  { name: 'bssid', type: 'key', value: ({ bssid }) => bssid },
  { name: 'position', type: 'whole', value: ({ position }) => position },
  { name: 'due_at', type: 'time', value: ({ due }) => due },
  { name: 'early_at', type: 'time', value: ({ early }) => early },
  { name: 'late_at', type: 'time', value: ({ late }) => late },
  { name: 'basis', type: 'key', value: ({ basis }) => basis },
  { name: 'like_ends', type: 'whole', value: ({ like_ends }) => like_ends },
  { name: 'typical', type: 'truth', value: ({ typical }) => typical },
]

const keyColumn = { name: 'bssid', type: 'key', value: ({ bssid }: { readonly bssid: string }) => bssid } as const

export const removedColumns: readonly ColumnOf<RemovedForecast>[] = [
  keyColumn,
  { name: 'position', type: 'whole', value: ({ position }) => position },
]

export const findingColumns: readonly ColumnOf<StoredFinding>[] = [
  keyColumn,
  { name: 'number', type: 'whole', value: ({ number }) => number },
]

export const supplyDayRows = ({ supply_key, days }: SteppedSupply) =>
  days.map(({ day, medians }) => ({ supply_key, day, medians }))

/** Days after which a change of a supply is no news any more: it was found in a past that is stepped at once. */
const newsDays = 7

/** Returns when people were notified of what a day showed: now, or an hour after the end of an old day. */
function notifiedAt(found: number, now: Date): Date {
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
    told_at: notifiedAt(found, now).toISOString(),
  }))

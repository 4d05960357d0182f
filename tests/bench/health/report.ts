/** The figures of the bench with their aims, beside the two methods for comparison. */
import { median } from '../../../src/domain/health/maths/median.ts'
import { cases, type Case } from './cases.ts'
import type { Cost } from './cost.ts'
import type { Outcome } from './faulty.ts'
import type { FeedOutcome } from './feedChange.ts'
import { upperBound, type Alarms } from './healthy.ts'
import type { LifeOutcome } from './lives.ts'

/** A line of the report: the method's value, and those of fixed thresholds and of the same detector on raw values. */
export interface Row {
  readonly figure: string
  readonly aim: string
  readonly value: string
  readonly fixed?: string
  readonly raw?: string
  /** Whether the aim is reached; null where there is none. */
  readonly ok: boolean | null
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const share = <Item>(items: readonly Item[], holds: (item: Item) => boolean) =>
  items.length === 0 ? NaN : items.filter(holds).length / items.length

const rate = ({ count, months }: Alarms) => (1000 * count) / months
const bound = ({ count, months }: Alarms) => (1000 * upperBound(count)) / months
const alarmText = (alarms: Alarms) =>
  `${rate(alarms).toFixed(2)} (≤ ${bound(alarms).toFixed(2)}; ${alarms.count} in ${Math.round(alarms.months)})`

/** Returns the rows of false alarms: of the method, of the same detector on raw values, and of fixed thresholds. */
export const alarmRows = ([own, raw, fixed]: readonly Alarms[]): Row[] => [
  {
    figure: 'false alarms per 1,000 device-months (95 % bound; alarms in device-months)',
    aim: '≤ 1',
    value: alarmText(own!),
    fixed: alarmText(fixed!),
    raw: alarmText(raw!),
    ok: rate(own!) <= 1,
  },
]

const isFound = ({ found }: Outcome) => found < Infinity
const isInTime = ({ found, of }: Outcome) => found < Infinity && (of.harm === undefined || found < of.harm * of.days)
const first = ({ causes, of }: Outcome) => causes[0]?.cause === of.cause
const amongTwo = ({ causes, of }: Outcome) => causes.slice(0, 2).some(({ cause }) => cause === of.cause)
const daysText = (outcomes: readonly Outcome[]) => {
  const days = median(outcomes.map(({ found }) => found))
  return Number.isFinite(days) ? String(days) : 'never'
}

/** Returns the rows of faults, of the methods in the same order. */
export function faultRows(all: readonly (readonly Outcome[])[]): Row[] {
  const [own = [], raw = [], fixed = []] = all
  const found = own.filter(isFound)
  const shares = (holds: (outcome: Outcome) => boolean) => ({
    value: percent(share(own, holds)),
    fixed: percent(share(fixed, holds)),
    raw: percent(share(raw, holds)),
  })
  const causes = (holds: (outcome: Outcome) => boolean) => ({
    value: percent(share(found, holds)),
    raw: percent(share(raw.filter(isFound), holds)),
  })
  return [
    { figure: 'detected', aim: '≥ 95 %', ...shares(isFound), ok: share(own, isFound) >= 0.95 },
    {
      figure: 'detected before flow -30 % or salt ×2',
      aim: '≥ 95 %',
      ...shares(isInTime),
      ok: share(own, isInTime) >= 0.95,
    },
    ...cases.map(one => caseRow(one, all)),
    { figure: 'cause first, a week on', aim: '≥ 90 %', ...causes(first), ok: share(found, first) >= 0.9 },
    { figure: 'cause among the first two', aim: '≥ 96 %', ...causes(amongTwo), ok: share(found, amongTwo) >= 0.96 },
    {
      figure: 'calibration error of the first cause',
      aim: '≤ 0.05',
      value: calibrationError(found).toFixed(3),
      ok: calibrationError(found) <= 0.05,
    },
    {
      figure: 'beginnings within their interval (90 %)',
      aim: '–',
      value: percent(
        share(
          found.filter(({ begin }) => begin !== undefined),
          ({ begin }) => begin!.within,
        ),
      ),
      ok: null,
    },
  ]
}

function caseRow(one: Case, all: readonly (readonly Outcome[])[]): Row {
  const [own = [], raw = [], fixed = []] = all.map(outcomes => outcomes.filter(({ of }) => of === one))
  const days = median(own.map(({ found }) => found))
  const found = own.filter(isFound)
  return {
    figure: `${one.name}: median days (found, in time; cause first, of two)`,
    aim: one.aim === undefined ? '–' : `≤ ${one.aim}`,
    value: `${daysText(own)} (${percent(share(own, isFound))}, ${percent(share(own, isInTime))}; ${percent(share(found, first))}, ${percent(share(found, amongTwo))})`,
    fixed: daysText(fixed),
    raw: daysText(raw),
    ok: one.aim === undefined ? null : days <= one.aim,
  }
}

const bins = 10

/** Returns the mean distance between the confidence of the first cause and how often it was right, over ten bins. */
function calibrationError(outcomes: readonly Outcome[]): number {
  const told = outcomes.filter(({ causes }) => causes.length > 0)
  const sums = Array.from({ length: bins }, () => 0)
  for (const outcome of told) {
    const { confidence } = outcome.causes[0]!
    sums[Math.min(bins - 1, Math.floor(confidence * bins))]! += confidence - Number(first(outcome))
  }
  return sums.reduce((sum, off) => sum + Math.abs(off), 0) / told.length
}

export const feedRows = ({ supplies, one, changes, days, findings }: FeedOutcome): Row[] => [
  {
    figure: 'feed ×1.6 on a supply: changes, device findings, a supply (median days)',
    aim: '1, 0',
    value: `${(changes / supplies).toFixed(2)}, ${(findings / supplies).toFixed(2)} (${median(days)}; ${supplies} supplies)`,
    ok: one === supplies && findings === 0,
  },
]

/** Returns the rows of forecasts, all together and by what they rest on. */
export function lifeRows(outcomes: readonly LifeOutcome[]): Row[] {
  const row = (figure: string, own: readonly LifeOutcome[], isAim: boolean): Row => {
    const covered = share(own, ({ actual, early, late }) => early <= actual && actual <= late)
    const width = median(own.map(({ early, late, actual }) => (late - early) / actual))
    return {
      figure: `80 % intervals, ${figure}: coverage, median width`,
      aim: isAim ? '76–84 %, ≤ 35 %' : '–',
      value: `${percent(covered)}, ${percent(width)} of the life left (${own.length} forecasts)`,
      ok: isAim ? covered >= 0.76 && covered <= 0.84 && width <= 0.35 : null,
    }
  }
  const by = (basis: string) => outcomes.filter(({ forecast }) => forecast.basis === basis)
  return [
    row('all', outcomes, true),
    row('by litres', by('litres'), false),
    row('by condition', by('condition'), false),
  ]
}

export const costRows = ({ reading, day, state }: Cost): Row[] => [
  { figure: 'a reading', aim: '≤ 1 µs', value: `${reading.toFixed(3)} µs`, ok: reading <= 1 },
  { figure: 'a device-day with its assessment', aim: '≤ 50 µs', value: `${day.toFixed(1)} µs`, ok: day <= 50 },
  { figure: 'state of a device', aim: '–', value: `${state} bytes`, ok: null },
]

/** Returns a row as a line of text. */
export function lineOf({ figure, aim, value, fixed, raw, ok }: Row): string {
  const mark = ok === null ? ' ' : ok ? '✓' : '✗'
  const others = [fixed && `fixed thresholds ${fixed}`, raw && `raw ${raw}`].filter(Boolean).join('; ')
  return `${mark} ${figure}: ${value}${aim === '–' ? '' : `  aim ${aim}`}${others === '' ? '' : `  [${others}]`}`
}

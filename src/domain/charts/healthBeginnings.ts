/** When findings began, for the charts of the channels that show them. */
import { causeLabels } from '../health/texts/causeNames.ts'
import { leadingEvidence } from '../health/texts/explain.ts'
import type { Cause, Evidence } from '../health/types/assessment.ts'
import type { Channel } from '../health/types/channels.ts'
import { msPerDay } from '../time.ts'
import { dayName } from './axis.ts'

/** The parts of a finding that determine where its beginning is drawn. */
export interface BegunFinding {
  readonly cause: Cause
  readonly severity: 'act' | 'watch'
  readonly evidence: readonly Pick<Evidence, 'channel' | 'value' | 'error' | 'unit' | 'expected'>[]
  /** Local days as ISO times of their beginnings in UTC. */
  readonly began_early: string
  readonly began_at: string
  readonly began_late: string
}

/** Days on the time axis of a chart: 90 % of the beginnings lie between early and late. */
export interface Begun {
  readonly name: string
  readonly severity: 'act' | 'watch'
  readonly early: number
  readonly likely: number
  readonly late: number
}

/** Standard errors from which a channel has changed with a finding. */
const changedErrors = 2

/** Returns the beginnings of the findings that a channel shows: the one each rests on, and others that have clearly changed. */
export function beginningsOf(findings: readonly BegunFinding[], channel: Channel): Begun[] {
  const dayOf = (at: string) => Math.floor(Date.parse(at) / msPerDay) * msPerDay
  return findings
    .filter(
      ({ evidence }) =>
        leadingEvidence(evidence)?.channel === channel ||
        evidence.some(each => each.channel === channel && Math.abs(each.value) >= changedErrors * each.error),
    )
    .map(({ cause, severity, began_early, began_at, began_late }) => ({
      name: cause === 'unknown' ? 'Finding' : causeLabels[cause],
      severity,
      early: dayOf(began_early),
      likely: dayOf(began_at),
      late: dayOf(began_late),
    }))
}

/** Describes a beginning: `Fouling: began about Mon, Mar 2, 2026, between Fri, Feb 20, 2026 and Thu, Mar 12, 2026`. */
export const beginningInWords = ({ name, early, likely, late }: Begun): string =>
  `${name}: began about ${dayName(likely)}, between ${dayName(early)} and ${dayName(late)}`

/** Returns what a day means for a beginning; undefined outside of its interval. */
export function beginningOn({ name, early, likely, late }: Begun, x: number): string | undefined {
  if (x === likely) return `${name}: most likely began`
  return x >= early && x <= late ? `${name}: may have begun` : undefined
}

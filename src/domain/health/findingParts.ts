/** Parts that findings of all groups share. */
import type { Change } from './tests.ts'
import type { Cause, Evidence, Finding } from './types/assessment.ts'
import type { HealthContext } from './types/context.ts'
import type { Beginning, OpenFinding } from './types/state.ts'
import type { Neighbours } from './types/supply.ts'

export const round = (value: number) => Math.round(value * 1e4) / 1e4

export const frame = (open: OpenFinding, began: Beginning) => ({
  number: open.number,
  group: open.group,
  detected: open.day,
  began: { early: began.early, likely: began.likely, late: began.late },
  tempo: began.step > 0 ? ('step' as const) : ('ramp' as const),
})

/** Returns the position of the cartridge that a cause is about, if the device has one of its kind. */
export function position(cause: Cause, { cartridges }: HealthContext): { position?: number } {
  const kind = cause === 'prefilter' ? 0 : ['fouling', 'scaling', 'oxidation', 'oring', 'worn'].includes(cause) ? 2 : -1
  const found = cartridges.find(cartridge => cartridge.kind === kind)
  return found === undefined ? {} : { position: found.position }
}

export const evidenceOf = (
  channel: Evidence['channel'],
  { value, error }: Change,
  baseline: number | null,
  days: number,
  neighbours?: Neighbours,
): Evidence => ({
  channel,
  value: round(value),
  error: round(error),
  unit: channel === 'rest' ? 'l/h' : 'ln',
  baseline,
  neighbours: neighbours ?? null,
  days,
  expected: [round(value), null],
})

/** Returns the size of a finding: that of its largest change. */
export const findingSize = ({ evidence }: Pick<Finding, 'evidence'>): number =>
  Math.max(...evidence.map(({ value }) => Math.abs(value)))

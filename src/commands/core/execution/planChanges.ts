/** What a dry run affects, and what has changed between two of them. */
import type { DryRun } from '../types.ts'
import { formatNumber } from '../../../domain/format.ts'

/** Returns the number of devices that would do it, as the server has counted them for a job. */
export const affectedCount = ({ affected, job }: DryRun): number => (job ? job.count + job.waiting : affected.length)

/** A target that is skipped for another reason than in the earlier plan, or no longer. */
export interface PlanChange {
  readonly id: string
  /** The reason why it was skipped; undefined if it was not. */
  readonly before: string | undefined
  readonly now: string | undefined
  /** What has changed, if it is not about one target. */
  readonly text?: string
}

/**
 * Returns the changes between two plans for the same targets. Of a search that finds more than
 * 100,000 devices, not all that are skipped are named: there, only their total is compared.
 */
export function planChanges(before: DryRun, now: DryRun): readonly PlanChange[] {
  const totals = [before, now].map(({ job }) => (job?.isSearch ? job.total : undefined))
  if (totals[0] !== totals[1]) return [{ id: '', before: undefined, now: undefined, text: totalsText(totals) }]
  if (!namesAll(before) || !namesAll(now)) return []
  const changes = skipChanges(before, now)
  const isSame = changes.length > 0 || JSON.stringify(before.groups) === JSON.stringify(now.groups)
  return isSame ? changes : [{ id: '', before: undefined, now: undefined, text: 'The list below has changed' }]
}

function skipChanges(before: DryRun, now: DryRun): readonly PlanChange[] {
  const reasons = (plan: DryRun) => new Map(plan.skipped.map(({ id, message }) => [id, message]))
  const reasonsBefore = reasons(before)
  const reasonsNow = reasons(now)
  // For a search, only the skipped devices are known.
  const ids = new Set([...before.affected, ...reasonsBefore.keys(), ...reasonsNow.keys()])
  return [...ids]
    .filter(id => reasonsBefore.get(id) !== reasonsNow.get(id))
    .map(id => ({ id, before: reasonsBefore.get(id), now: reasonsNow.get(id) }))
}

const namesAll = ({ job }: DryRun): boolean =>
  job?.reasons.every(({ count, devices }) => count === devices.length) ?? true

const totalsText = ([before = 0, now = 0]: readonly (number | undefined)[]): string =>
  `${formatNumber(now)} devices match now, before ${formatNumber(before)}`

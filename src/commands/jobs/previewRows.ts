/** The rows of a preview: the skipped targets by reason, and then the affected targets. */
import { statuses } from '../../domain/device.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { Command, DryRun, PlanGroup } from '../core/types.ts'
import { affectedCount, type PlanChange } from '../core/execution/planChanges.ts'
import { areUnread } from '../core/execution/unreadMatches.ts'
import { groupByReason, type ReasonGroup } from '../core/reasons.ts'
import { formatNumber } from '../../domain/format.ts'

export type PreviewRow =
  | { readonly heading: string; readonly count: number; readonly tone: 'ok' | 'bad' | 'warn' | 'mute' }
  | {
      readonly id: string
      readonly name: string
      /** Company and status of a device: `Aqua Ltd · Ready`. */
      readonly detail: string
      /** The reason in the approved dry run, if that has changed. */
      readonly changed: string | undefined
    }
  | { readonly group: PlanGroup }

/** `isRetry`: the targets are those that did not do a job. */
type Previewed = Pick<Command, 'effect'> & { readonly danger?: boolean | undefined; readonly isRetry?: boolean }

/** Returns the rows of a preview; without a dry run, all targets are under one heading. */
export function previewRows(
  { effect = 'change', danger, isRetry = false }: Previewed,
  targets: readonly AnyItem[],
  plan: DryRun | undefined,
  changed: readonly PlanChange[],
): readonly PreviewRow[] {
  const items = new Map(targets.map(item => [item.id, item]))
  const which = isRetry ? 'that did not do it' : 'that match'
  const before = new Map(changed.map(change => [change.id, change.before]))
  const rowsOf = (ids: readonly string[]): readonly PreviewRow[] =>
    ids.map(id => {
      const item = items.get(id)
      return {
        id,
        name: item?.name ?? id,
        detail: item ? detailOf(item) : '',
        changed: before.has(id) ? (before.get(id) ?? 'was not skipped before') : undefined,
      }
    })
  if (!plan)
    return [
      { heading: 'Selected', count: targets.length, tone: 'mute' },
      ...(areUnread(targets) ? [unnamed(`all ${which}`)] : rowsOf(targets.map(({ id }) => id))),
    ]
  const groups = skippedGroups(plan)
  const affected = affectedCount(plan)
  // The affected targets are known only if all targets have been read and all skipped ones are named.
  const isKnown = !areUnread(targets) && groups.every(({ count, ids }) => count === ids.length)
  const skipped = groups.flatMap(({ reason, count, ids }) => [
    { heading: `Skipped: ${reason}`, count, tone: 'warn' as const },
    ...rowsOf(ids),
    ...(count > ids.length ? [unnamed(`and ${formatNumber(count - ids.length)} more`)] : []),
  ])
  // What is done for many together is the plan itself, so it comes first.
  if (plan.groups)
    return [
      ...(affected > 0 ? [{ heading: `Will ${effect}`, count: affected, tone: 'ok' as const }] : []),
      ...plan.groups.flatMap(group => [
        { group },
        ...group.members.map(({ id, detail }) => ({ id, name: items.get(id)?.name ?? id, detail, changed: undefined })),
      ]),
      ...skipped,
    ]
  return [
    ...skipped,
    ...(affected > 0
      ? [{ heading: `Will ${effect}`, count: affected, tone: danger ? ('bad' as const) : ('ok' as const) }]
      : []),
    ...(isKnown ? rowsOf(plan.affected) : affected > 0 ? [unnamed(`all others ${which}`)] : []),
  ]
}

const unnamed = (name: string): PreviewRow => ({ id: '', name, detail: '', changed: undefined })

/** Targets that are skipped with the same reason; the server names at most 100,000 of them in `ids`. */
interface SkippedGroup extends ReasonGroup {
  readonly count: number
}

/** Returns the skipped targets by reason, most frequent first. */
export const skippedGroups = ({ skipped, job }: DryRun): readonly SkippedGroup[] =>
  job
    ? job.reasons.map(({ reason, count, devices }) => ({ reason, count, ids: devices }))
    : groupByReason(skipped).map(group => ({ ...group, count: group.ids.length }))

function detailOf(item: AnyItem): string {
  if (!('status' in item)) return ''
  // Items that an earlier version stored may have an unknown status.
  const known: Readonly<Record<number, { label: string }>> = statuses
  return [item.company, known[item.status]?.label].filter(Boolean).join(' · ')
}

/** Returns the changes since the approval as sentences: `2 are skipped now: Device is offline`. */
export function describeChanges(changed: readonly PlanChange[]): readonly string[] {
  const ofTargets = changed.filter(({ text }) => text === undefined)
  const isNow = ofTargets.flatMap(({ id, now }) => (now === undefined ? [] : [{ id, message: now }]))
  const back = ofTargets.length - isNow.length
  return [
    ...changed.flatMap(({ text }) => text ?? []),
    ...groupByReason(isNow).map(({ reason, ids }) => `${countIs(ids.length)} skipped now: ${reason}`),
    ...(back > 0 ? [`${countIs(back)} no longer skipped`] : []),
  ]
}

const countIs = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'is' : 'are'}`

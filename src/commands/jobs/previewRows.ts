/** The rows of a preview: the skipped targets by reason, and then the affected targets. */
import { statuses } from '../../domain/device.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { Command, DryRun } from '../core/types.ts'
import type { PlanChange } from '../core/execution/planChanges.ts'
import { groupByReason } from '../core/reasons.ts'

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

/** Returns the rows of a preview; without a dry run, all targets are under one heading. */
export function previewRows(
  { effect = 'change', danger }: Pick<Command, 'effect'> & { readonly danger?: boolean | undefined },
  targets: readonly AnyItem[],
  plan: DryRun | undefined,
  changed: readonly PlanChange[],
): readonly PreviewRow[] {
  const items = new Map(targets.map(item => [item.id, item]))
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
    return [{ heading: 'Selected', count: targets.length, tone: 'mute' }, ...rowsOf(targets.map(({ id }) => id))]
  return [
    ...groupByReason(plan.skipped).flatMap(({ reason, ids }) => [
      { heading: `Skipped: ${reason}`, count: ids.length, tone: 'warn' as const },
      ...rowsOf(ids),
    ]),
    ...(plan.affected.length > 0
      ? [{ heading: `Will ${effect}`, count: plan.affected.length, tone: danger ? ('bad' as const) : ('ok' as const) }]
      : []),
    ...rowsOf(plan.affected),
  ]
}

function detailOf(item: AnyItem): string {
  if (!('status' in item)) return ''
  // Items that an earlier version stored may have an unknown status.
  const known: Readonly<Record<number, { label: string }>> = statuses
  return [item.company, known[item.status]?.label].filter(Boolean).join(' · ')
}

/** Returns the changes since the approval as sentences: `2 are skipped now: Device is offline`. */
export function describeChanges(changed: readonly PlanChange[]): readonly string[] {
  const isNow = changed.flatMap(({ id, now }) => (now === undefined ? [] : [{ id, message: now }]))
  const back = changed.length - isNow.length
  return [
    ...groupByReason(isNow).map(({ reason, ids }) => `${countIs(ids.length)} skipped now: ${reason}`),
    ...(back > 0 ? [`${countIs(back)} no longer skipped`] : []),
  ]
}

const countIs = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'is' : 'are'}`

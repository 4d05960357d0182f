/** Texts that commands share, such as counts, messages and confirmations, and the presentation of similar commands. */
import { nounsOf } from '../../domain/lists/lists.ts'
import type { Entity } from '../../store/lists.ts'
import type { Question } from '../../domain/commands/question.ts'
import { isPlaceholder, type AnyItem } from '../../store/selection.ts'
import type { Presentation } from './presentation.ts'
import type { Outcome } from './runs/outcome.ts'
import { formatNumber } from '../../domain/format.ts'

/** `1 device`, `1,204 vendors` */
export const countOf = (count: number, entity: Entity): string =>
  `${formatNumber(count)} ${nounsOf(entity)[count === 1 ? 0 : 1]}`

/** Returns the name of a single item, or the count of several. */
export function nameOrCount(items: readonly AnyItem[], entity: Entity): string {
  const [only] = items
  return only && items.length === 1 && !isPlaceholder(only) ? only.name : countOf(items.length, entity)
}

/** `Locked 9 of 12 devices` */
export const doneMessage =
  (verb: string, entity: Entity) =>
  (outcome: Outcome, total: number): string =>
    `${verb} ${formatNumber(outcome.done.length)} of ${countOf(total, entity)}`

/** Returns what a command would do, for a preview: `3 will lock`, `None will lock`. */
export const willText = ({ effect = 'change' }: Pick<Presentation, 'effect'>, count: number): string =>
  `${count === 0 ? 'None' : formatNumber(count)} will ${effect}`

/** Returns the message, with a warning if the browser could not store the change. */
export const withStorageWarning = (isStored: boolean, message: string): string =>
  isStored ? message : `${message}, but only until you close this page: the browser could not store it`

/**
 * Returns the confirmation of a command that interrupts the water or cannot be undone, with the name of its only target
 * or the count of several.
 */
export const confirmQuestion = (verb: string, text: string, entity: Entity, targets: readonly AnyItem[]): Question => ({
  title: `${verb} ${nameOrCount(targets, entity)}?`,
  text,
  action: `${verb} ${countOf(targets.length, entity)}`,
  type: undefined,
  danger: true,
})

/** The presentation that the commands of several entities share. */
export const deletePresentation = {
  title: 'Delete',
  group: 'control',
  icon: 'trash',
  keys: ['Backspace', 'Delete'],
  keywords: ['remove'],
  on: ['control', 'row'],
  effect: 'be deleted',
  danger: true,
  removesTargets: true,
} as const
export const editPresentation = {
  group: 'settings',
  icon: 'edit',
  keys: 'shift+e',
  keywords: ['update', 'change'],
  on: ['update', 'row'],
} as const
export const createPresentation = {
  group: 'create',
  icon: 'plus',
  keys: 'c',
  keywords: ['create', 'add', 'new', 'import', 'csv', 'excel', 'file'],
  on: ['create', 'toolbar'],
} as const
export const uploadPresentation = { ...createPresentation, icon: 'upload' } as const

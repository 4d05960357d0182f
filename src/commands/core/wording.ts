/** How commands speak of what they act on. */
import { nounsOf } from '../../domain/lists/lists.ts'
import type { Entity } from '../../store/lists.ts'
import type { Question } from '../../domain/commands/question.ts'
import { isPlaceholder, type AnyItem } from '../../store/selection.ts'
import type { Outcome } from './runs/outcome.ts'

/** `1 device`, `1,204 vendors` */
export const countOf = (count: number, entity: Entity): string =>
  `${count.toLocaleString('en')} ${nounsOf(entity)[count === 1 ? 0 : 1]}`

/** One by its name, several by how many they are. */
export function namedOf(items: readonly AnyItem[], entity: Entity): string {
  const [only] = items
  return only && items.length === 1 && !isPlaceholder(only) ? only.name : countOf(items.length, entity)
}

/** `Locked 9 of 12 devices` */
export const doneOf =
  (verb: string, entity: Entity) =>
  (outcome: Outcome, total: number): string =>
    `${verb} ${outcome.done.length.toLocaleString('en')} of ${countOf(total, entity)}`

/** What was done to something that the browser keeps; where it has not stored that, how long it lasts. */
export const lasting = (stored: boolean, said: string): string =>
  stored ? said : `${said}, but only until this page is closed: the browser has not stored it`

/** What interrupts water or can't be undone asks first, and says on how many. */
export const asks = (verb: string, text: string, entity: Entity, count: number): Question => ({
  title: `${verb} ${countOf(count, entity)}?`,
  text,
  action: `${verb} ${countOf(count, entity)}`,
  type: undefined,
  danger: true,
})

/** How commands that do the same to different things are offered. */
export const deleting = {
  title: 'Delete',
  group: 'control',
  icon: 'trash',
  keys: ['Backspace', 'Delete'],
  keywords: ['remove'],
  on: ['control', 'row'],
  danger: true,
  forgets: true,
} as const
export const editing = {
  group: 'settings',
  icon: 'edit',
  keys: 'shift+e',
  keywords: ['update', 'change'],
  on: ['update', 'row'],
} as const
export const creating = {
  group: 'create',
  icon: 'upload',
  keys: 'c',
  keywords: ['create', 'add', 'new', 'import', 'csv', 'excel', 'file'],
  on: ['create', 'toolbar'],
} as const

/** How commands speak of what they act on. */
import { nouns } from '../domain/nouns.ts'
import type { Entity } from '../store/lists.ts'
import type { Question } from '../store/overlays.ts'
import type { AnyItem } from '../store/selection.ts'
import type { Outcome } from './command.ts'

export const idsOf = (targets: readonly AnyItem[]): readonly string[] => targets.map(target => target.id)

/** `1 device`, `1,204 vendors` */
export const countOf = (count: number, entity: Entity): string =>
  `${count.toLocaleString('en')} ${nouns[entity][count === 1 ? 0 : 1]}`

/** `Locked 9 of 12 devices` */
export const doneOf =
  (verb: string, entity: Entity) =>
  (outcome: Outcome, total: number): string =>
    `${verb} ${outcome.done.length.toLocaleString('en')} of ${countOf(total, entity)}`

/** What interrupts water or can't be undone asks first, and says on how many. */
export const asks = (verb: string, text: string, entity: Entity, count: number): Question => ({
  title: `${verb} ${countOf(count, entity)}?`,
  text,
  action: `${verb} ${countOf(count, entity)}`,
  type: undefined,
  danger: true,
})

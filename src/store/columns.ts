/** Which columns are shown: as a person chose, or else those that tell the state of the water first. */
import { columnOf } from '../domain/lists/lists.ts'
import type { Entity, ListState } from './lists.ts'

export const columnVisible = (entity: Entity, list: Pick<ListState, 'shown'>, column: string): boolean =>
  list.shown[column] ?? !columnOf(entity, column)?.hidden

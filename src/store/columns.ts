import { columnOf } from '../domain/lists/lists.ts'
import type { Entity, ListState } from './lists.ts'

/** Whether a column is shown: as the person chose, or by its default. */
export const isColumnVisible = (entity: Entity, list: Pick<ListState, 'shown'>, column: string): boolean =>
  list.shown[column] ?? !columnOf(entity, column)?.hidden

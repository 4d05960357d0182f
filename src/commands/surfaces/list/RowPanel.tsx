import { itemOf, type ItemOf, type Row } from '../../../api/lists.ts'
import type { Entity, RowEntity } from '../../../store/lists.ts'
import { isPlaceholder, type RowItem } from '../../../store/selection.ts'
import { Fact, Facts } from '../../../ui/Facts.tsx'
import { useColumns, type Cells } from './columns.tsx'
import { ListPanel, type FormValues } from './ListPanel.tsx'
import { useTargets } from './useTargets.ts'

/** The side panel of a list whose rows say all there is to know: Info shows every column of the one that is meant. */
export function RowPanel<E extends RowEntity>(props: {
  entity: E
  cells: Cells<E> | undefined
  width: number
  onClose: () => void
  /** What the forms show of the one that is meant. */
  values: ((row: Row<E>) => FormValues) | undefined
  /** What the forms of something new show at first. */
  initial: FormValues | undefined
}) {
  const { entity } = props
  const columns = useColumns(entity, props.cells)
  const targets: readonly ItemOf<Entity>[] = useTargets<Entity>(entity)
  // Of everything but devices the whole row is kept.
  const live = targets.some(isPlaceholder)
  const only = targets.length === 1 && !live ? (targets[0] as RowItem<Row<E>>).row : undefined
  return (
    <ListPanel
      entity={entity}
      targets={targets}
      width={props.width}
      onClose={props.onClose}
      values={{ ...props.initial, ...(only && props.values?.(only)) }}
      info={
        only ? (
          <Facts title={itemOf(entity, only).name}>
            {columns.map(column => (
              <Fact key={column.id} name={column.title}>
                {column.cell(only)}
              </Fact>
            ))}
          </Facts>
        ) : (
          <p className="p-4 text-ink2">
            {live
              ? 'This selection follows a search. The matching rows are loaded when a command starts.'
              : 'Details of the selected row appear here.'}
          </p>
        )
      }
    />
  )
}

import type { ReactNode } from 'react'
import { itemOf, type ItemOf, type Row } from '../../../api/lists.ts'
import type { Entity, RowEntity } from '../../../store/lists.ts'
import { isPlaceholder, type RowItem } from '../../../store/selection.ts'
import { Fact, Facts } from '../../../ui/Facts.tsx'
import { useColumns, type Cells } from './columns.tsx'
import { ListPanel, type FormValues } from './ListPanel.tsx'
import { useTargets } from './useTargets.ts'
import { formatNumber } from '../../../domain/format.ts'

/** The side panel of lists whose rows hold all details: Info shows every column of the single target. */
export function RowPanel<E extends RowEntity>(props: {
  entity: E
  cells: Cells<E> | undefined
  /** Returns what is shown above the columns of the single target. */
  details?: ((row: Row<E>) => ReactNode) | undefined
  width: number
  onClose: () => void
  /** Returns the initial values of the update forms for the single target. */
  values: ((row: Row<E>) => FormValues) | undefined
  /** The initial values of the create forms. */
  initial: FormValues | undefined
}) {
  const { entity } = props
  const columns = useColumns(entity, props.cells)
  const targets: readonly ItemOf<Entity>[] = useTargets<Entity>(entity)
  const hasPlaceholders = targets.some(isPlaceholder)
  // The items of all entities except devices include the whole row.
  const only = targets.length === 1 && !hasPlaceholders ? (targets[0] as RowItem<Row<E>>).row : undefined
  return (
    <ListPanel
      entity={entity}
      targets={targets}
      width={props.width}
      onClose={props.onClose}
      values={{ ...props.initial, ...(only && props.values?.(only)) }}
      info={
        only ? (
          <>
            {props.details?.(only)}
            <Facts title={itemOf(entity, only).name}>
              {columns.map(column => (
                <Fact key={column.id} name={column.title}>
                  {column.cell(only)}
                </Fact>
              ))}
            </Facts>
          </>
        ) : hasPlaceholders ? (
          <p className="p-4 text-ink2">
            This selection follows a search. The matching rows are loaded when a command starts.
          </p>
        ) : targets.length > 1 ? (
          <SelectedNames names={targets.map(({ name }) => name)} />
        ) : (
          <p className="p-4 text-ink2">Details of the selected row appear here.</p>
        )
      }
    />
  )
}

/** The number of names that are listed. */
const maxNames = 50

function SelectedNames({ names }: { names: readonly string[] }) {
  return (
    <div className="grid gap-2 p-4">
      <p className="text-ink2">Select only one to see its details.</p>
      <ul aria-label="Selected" className="grid gap-1">
        {names.slice(0, maxNames).map((name, index) => (
          <li key={index} className="truncate">
            {name}
          </li>
        ))}
        {names.length > maxNames && <li className="text-ink2">and {formatNumber(names.length - maxNames)} more</li>}
      </ul>
    </div>
  )
}

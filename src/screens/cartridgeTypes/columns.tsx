import type { Row } from '../../api/lists.ts'
import type { Column } from '../../ui/table/column.ts'
import { column, timestampColumns } from '../../commands/surfaces/list/columns.tsx'
import { cartridgeKinds } from '../../domain/device.ts'
import { amount, toFixed } from '../../domain/format.ts'
import { unitOf } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'
import { LinkCell } from '../../ui/table/cells.tsx'

export function useCartridgeTypesColumns(): readonly Column<Row<'cartridgeTypes'>>[] {
  const units = useUnits()
  return [
    column('cartridgeTypes', 'model', 130, row => row.model),
    column('cartridgeTypes', 'name', 220, row => row.name),
    column('cartridgeTypes', 'type', 110, row => cartridgeKinds[row.type]),
    column('cartridgeTypes', 'resource', 120, row => amount(row.resource, 'volume', units), {
      align: 'end',
      title: `Resource ${unitOf('volume', units).symbol}`,
    }),
    column('cartridgeTypes', 'ttl', 120, row => toFixed(row.ttl, 0), { align: 'end', title: 'Lifetime days' }),
    column('cartridgeTypes', 'description', 260, row => row.description),
    column('cartridgeTypes', 'purchase_url', 220, row => <LinkCell address={row.purchase_url} />),
    column('cartridgeTypes', 'image_url', 220, row => <LinkCell address={row.image_url} />),
    ...timestampColumns('cartridgeTypes'),
  ]
}

import type { Row } from '../../api/lists.ts'
import type { Column } from '../../ui/table/column.ts'
import { column, timestampColumns } from '../../commands/surfaces/list/columns.tsx'
import { capabilityNames } from '../../domain/device.ts'
import { amount, missing } from '../../domain/format.ts'
import { unitOf } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'

export function useModelsColumns(): readonly Column<Row<'models'>>[] {
  const units = useUnits()
  const flow = unitOf('flow', units).symbol
  return [
    column('models', 'name', 180, row => row.name),
    column('models', 'platform', 110, row => row.platform),
    column('models', 'company_name', 170, row => row.company_name || missing),
    column('models', 'capabilities', 300, row => row.capabilities.map(one => capabilityNames[one]).join(', ')),
    // The bypass valve's four positions.
    ...[0, 1, 2, 3].map(place =>
      column<Row<'models'>>(
        'models',
        `bypass_flow_rate_${place + 1}`,
        128,
        row => amount(row.bypass_flow_rates[place] ?? null, 'flow', units),
        {
          align: 'end',
          title: `Bypass ${place + 1} ${flow}`,
          sortable: false,
        },
      ),
    ),
    column('models', 'vendors', 320, row => row.vendors.map(vendor => vendor.company_name).join(', ')),
    ...timestampColumns('models'),
  ]
}

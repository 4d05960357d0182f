import type { Row } from '../../api/lists.ts'
import type { Column } from '../../ui/table/column.ts'
import { column, timestampColumns } from '../../commands/surfaces/list/columns.tsx'
import { flushFrequencies, flushFrequencyNames, flushModes, smartFlushNames } from '../../domain/device.ts'
import { amount, missing } from '../../domain/format.ts'
import { unitOf } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'

type System = Row<'filtrationSystems'>

export function useFiltrationSystemsColumns(): readonly Column<System>[] {
  const units = useUnits()
  const setting = (id: string, title: string, cell: Column<System>['cell']) =>
    column<System>('filtrationSystems', id, 130, cell, { title, sortable: false })
  return [
    column('filtrationSystems', 'model', 170, row => row.model),
    column('filtrationSystems', 'group', 170, row => row.group?.name ?? missing),
    column('filtrationSystems', 'cartridges', 300, row => row.cartridges.map(cartridge => cartridge.model).join(', ')),
    column('filtrationSystems', 'vendor', 190, row => row.vendor?.company_name ?? missing),
    column('filtrationSystems', 'flushing', 96, row => (row.flushing ? 'Yes' : 'No')),
    setting('flush_smart', 'Smart flush', row => (row.flush.smart ? smartFlushNames[row.flush.smart] : 'Disabled')),
    setting('flush_mode', 'Flush mode', row => flushModes[row.flush.mode]),
    setting(
      'flush_frequency',
      'Flush every',
      row => flushFrequencyNames[flushFrequencies.indexOf(row.flush.frequency)],
    ),
    setting('flush_duration', 'Flush duration s', row => row.flush.duration),
    setting('flush_volume', `Flush volume ${unitOf('volume', units).symbol}`, row =>
      amount(row.flush.volume, 'volume', units),
    ),
    ...timestampColumns('filtrationSystems'),
  ]
}

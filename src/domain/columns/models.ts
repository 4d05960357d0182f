import { capabilityNames } from '../device.ts'
import type { Columns } from './column.ts'
import { timestampColumns } from './timestamps.ts'

/** Returns the column of the flow at one of the bypass valve's four positions. */
const bypassFlow = <Path extends string>(label: string, path: Path) =>
  ({ label, kind: 'number', quantity: 'flow', path, width: 128, searchable: false }) as const

export const modelColumns = {
  name: { label: 'Name', kind: 'text', width: 180 },
  platform: { label: 'Platform', kind: 'text', width: 110 },
  company_name: { label: 'Company', kind: 'text', width: 170 },
  capabilities: { label: 'Capabilities', kind: 'choice', names: capabilityNames, width: 300 },
  bypass_flow_rate_1: bypassFlow('Bypass 1', 'bypass_flow_rates.0'),
  bypass_flow_rate_2: bypassFlow('Bypass 2', 'bypass_flow_rates.1'),
  bypass_flow_rate_3: bypassFlow('Bypass 3', 'bypass_flow_rates.2'),
  bypass_flow_rate_4: bypassFlow('Bypass 4', 'bypass_flow_rates.3'),
  vendors: { label: 'Vendors', kind: 'text', path: 'vendors.company_name', width: 320 },
  ...timestampColumns,
} as const satisfies Columns

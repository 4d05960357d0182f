/** The columns of the lists, as they are exported: in the order of the screens. */
import { auditColumns, type AuditEntry } from '../../api/contract/audit.ts'
import type { Row } from '../../api/lists.ts'
import {
  capabilityNames,
  cartridgeKinds,
  flushFrequencies,
  flushFrequencyNames,
  flushModes,
  smartFlushNames,
} from '../../domain/device.ts'
import type { Entity } from '../../store/lists.ts'
import { amountOf, count, text, time, type ListColumn } from './column.ts'
import { deviceColumns } from './deviceColumns.ts'

interface Timestamped {
  readonly created_at: string
  readonly updated_at: string
}
const timestamps: readonly ListColumn<Timestamped>[] = [
  time('created_at', row => row.created_at),
  time('updated_at', row => row.updated_at),
]

interface Account extends Timestamped {
  readonly first_name: string
  readonly last_name: string
  readonly status: boolean
}
const account: readonly ListColumn<Account>[] = [
  text('status', row => (row.status ? 'Blocked' : 'Active')),
  text('first_name', row => row.first_name),
  text('last_name', row => row.last_name),
  ...timestamps,
]

const yesOrNo = (yes: boolean) => (yes ? 'Yes' : 'No')

const outcomeOf = ({ outcome, done, failed }: AuditEntry) => {
  const name = auditColumns.by.outcome.names[outcome]
  return outcome === 'partly' ? `${name} (${done} of ${(done ?? 0) + (failed ?? 0)})` : name
}

/** As many as the history keeps, and how many more there were. */
const idsOf = ({ ids, ids_count }: AuditEntry) =>
  `${ids.join(', ')}${ids_count > ids.length ? ` and ${(ids_count - ids.length).toLocaleString('en')} more` : ''}`

export const listColumns: { readonly [E in Entity]: readonly ListColumn<Row<E>>[] } = {
  devices: deviceColumns,
  models: [
    text('name', row => row.name),
    text('platform', row => row.platform),
    text('company_name', row => row.company_name),
    text('capabilities', row => row.capabilities.map(one => capabilityNames[one]).join(', ')),
    ...[0, 1, 2, 3].map(place =>
      amountOf<Row<'models'>>(
        `bypass_flow_rate_${place + 1}`,
        'flow',
        row => row.bypass_flow_rates[place],
        `Bypass ${place + 1}`,
      ),
    ),
    text('vendors', row => row.vendors.map(vendor => vendor.company_name).join(', ')),
    ...timestamps,
  ],
  filtrationSystems: [
    text('model', row => row.model),
    text('group', row => row.group?.name ?? null),
    text('cartridges', row => row.cartridges.map(cartridge => cartridge.model).join(', ')),
    text('vendor', row => row.vendor?.company_name ?? null),
    text('flushing', row => yesOrNo(row.flushing)),
    text('flush_smart', row => (row.flush.smart ? smartFlushNames[row.flush.smart] : 'Disabled'), 'Smart flush'),
    text('flush_mode', row => flushModes[row.flush.mode], 'Flush mode'),
    text(
      'flush_frequency',
      row => flushFrequencyNames[flushFrequencies.indexOf(row.flush.frequency)] ?? null,
      'Flush every',
    ),
    { ...count<Row<'filtrationSystems'>>('flush_duration', 's', row => row.flush.duration), name: 'Flush duration' },
    amountOf('flush_volume', 'volume', row => row.flush.volume, 'Flush volume'),
    ...timestamps,
  ],
  groups: [text('name', row => row.name), ...timestamps],
  cartridgeTypes: [
    text('model', row => row.model),
    text('name', row => row.name),
    text('type', row => cartridgeKinds[row.type] ?? null),
    amountOf('resource', 'volume', row => row.resource),
    count('ttl', 'days', row => row.ttl),
    text('description', row => row.description),
    text('purchase_url', row => row.purchase_url),
    text('image_url', row => row.image_url),
    ...timestamps,
  ],
  admins: [text('login', row => row.login), ...account],
  vendors: [
    text('login', row => row.login),
    text('company_name', row => row.company_name),
    ...account,
    text('company_address', row => row.company_address),
    text('description', row => row.description),
  ],
  users: [text('email', row => row.login), text('email_confirmed', row => yesOrNo(row.email_confirmed)), ...account],
  audit: [
    time('at', entry => entry.at),
    text('login', entry => entry.login),
    text('role', entry => (entry.role === null ? null : auditColumns.by.role.names[entry.role])),
    text('action', entry => entry.action),
    text('outcome', outcomeOf),
    text('message', entry => entry.message),
    text('ids', idsOf),
    text('address', entry => entry.address),
  ],
}

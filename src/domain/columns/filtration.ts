/** Columns of the lists of cartridge types, filtration systems and their groups. */
import { cartridgeKinds, flushModes, smartFlushNames } from '../device.ts'
import type { Columns } from './column.ts'
import { frequencyNames } from './devices.ts'
import { timestampColumns } from './timestamps.ts'

export const cartridgeTypeColumns = {
  model: { label: 'Model', kind: 'text', width: 130 },
  name: { label: 'Name', kind: 'text', width: 220 },
  type: { label: 'Type', kind: 'choice', names: cartridgeKinds, width: 110 },
  resource: { label: 'Resource', kind: 'number', quantity: 'volume', width: 120 },
  ttl: { label: 'Lifetime', kind: 'number', unit: 'days', digits: 0, width: 120 },
  description: { label: 'Description', kind: 'text', width: 260 },
  purchase_url: { label: 'Purchase link', kind: 'text', width: 220 },
  image_url: { label: 'Image link', kind: 'text', width: 220 },
  ...timestampColumns,
} as const satisfies Columns

export const groupColumns = {
  name: { label: 'Name', kind: 'text', width: 320 },
  ...timestampColumns,
} as const satisfies Columns

export const filtrationSystemColumns = {
  model: { label: 'Model', kind: 'text', width: 170 },
  group: { label: 'Group', kind: 'text', path: 'group.name', width: 170 },
  cartridges: { label: 'Cartridges', kind: 'text', path: 'cartridges.model', width: 300 },
  vendor: { label: 'Vendor', kind: 'text', path: 'vendor.company_name', width: 190 },
  flushing: { label: 'Flushing', kind: 'flag', width: 96 },
  // The flush settings that a system's devices get by default.
  flush_smart: {
    label: 'Smart flush',
    kind: 'choice',
    names: smartFlushNames,
    none: 'Disabled',
    path: 'flush.smart',
    width: 130,
    searchable: false,
  },
  flush_mode: {
    label: 'Flush mode',
    kind: 'choice',
    names: flushModes,
    path: 'flush.mode',
    width: 130,
    searchable: false,
  },
  flush_frequency: {
    label: 'Flush every',
    kind: 'number',
    valueNames: frequencyNames,
    path: 'flush.frequency',
    width: 130,
    searchable: false,
  },
  flush_duration: {
    label: 'Flush duration',
    kind: 'number',
    unit: 's',
    path: 'flush.duration',
    align: 'start',
    width: 130,
    searchable: false,
  },
  flush_volume: {
    label: 'Flush volume',
    kind: 'number',
    quantity: 'volume',
    path: 'flush.volume',
    align: 'start',
    width: 130,
    searchable: false,
  },
  ...timestampColumns,
} as const satisfies Columns

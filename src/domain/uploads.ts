/**
 * The columns of uploaded files. The server parses files by them and the console creates templates from them, so a
 * template can always be uploaded.
 */
import type { Role } from './roles.ts'

export interface UploadColumn {
  readonly name: string
  readonly required: boolean
  /** The value in the template's example row. */
  readonly example: string
}

const column = (name: string, example: string, required = true): UploadColumn => ({ name, example, required })

/** Limits of an uploaded .csv or .xlsx file. */
export const maxUploadBytes = 10 * 1024 * 1024
export const maxUploadRows = 50_000

const deviceColumns: readonly UploadColumn[] = [
  column('bssid', 'A4:1C:09:7E:33:0B'),
  column('platform', 'esp32'),
  column('model', 'RO-400 Home'),
  column('filtration_system', 'FS-400', false),
  column('vendor', 'vendor'),
  column('description', 'Kitchen, second floor', false),
  column('water_supply', 'Harbour main', false),
]
/** An administrator names the vendor in each row; a vendor uploads its own devices only. */
export const deviceUpload = {
  admin: deviceColumns,
  vendor: deviceColumns.filter(({ name }) => name !== 'vendor'),
} as const

export const filtrationSystemUpload: readonly UploadColumn[] = [
  column('model', 'FS-600'),
  column('group', 'Direct flow', false),
  column('vendor', 'vendor', false),
  column('flushing', 'yes', false),
  column('cartridges', 'PP-5; CTO-10; TFC-400; T33', false),
]

export const groupUpload: readonly UploadColumn[] = [column('name', 'Countertop')]

export const cartridgeTypeUpload: readonly UploadColumn[] = [
  column('model', 'TFC-600'),
  column('type', 'membrane'),
  column('resource', '90000'),
  column('ttl', '1095'),
  column('name', 'Membrane 600 GPD'),
  column('description', 'For direct flow, 2,270 litres a day.', false),
  column('purchase_url', 'https://example.com/tfc-600', false),
  column('image_url', 'https://example.com/tfc-600.jpg', false),
]

/** The columns of an entity's upload, by the roles that may upload it. */
export const uploadColumns = {
  devices: deviceUpload,
  filtrationSystems: { admin: filtrationSystemUpload },
  groups: { admin: groupUpload },
  cartridgeTypes: { admin: cartridgeTypeUpload },
} as const satisfies Readonly<Record<string, Partial<Record<Role, readonly UploadColumn[]>>>>

/** Controls of a row are named by what a person calls it, not by its id. */
import { expect, test } from 'vitest'
import { spokenName, type Row } from '../../../src/api/lists.ts'
import { formatDateTime } from '../../../src/domain/format.ts'
import { entities, type Entity } from '../../../src/store/lists.ts'

const _id = '0b7c0c52-6f9c-4f2e-9c0e-1c4a8a7f2f10'
const at = '2026-03-29T09:00:00.000Z'
const account = { _id, login: 'vera@example.com', first_name: 'Vera', last_name: 'Wells' }
const names: { readonly [E in Entity]: readonly [row: object, name: string] } = {
  devices: [{ bssid: '30:AE:A4:04:74:8C', vendor: { _id, company_name: 'Acme Water' } }, '30:AE:A4:04:74:8C'],
  models: [{ _id, name: 'RO-400', company_name: 'Acme Water' }, 'RO-400'],
  filtrationSystems: [{ _id, model: 'FS-400' }, 'FS-400'],
  groups: [{ _id, name: 'Countertop' }, 'Countertop'],
  cartridgeTypes: [{ _id, model: 'PP-5', name: 'Sediment filter' }, 'PP-5'],
  admins: [account, 'vera@example.com'],
  vendors: [{ ...account, company_name: 'Acme Water', company_address: '1 Spring Street' }, 'Acme Water'],
  users: [account, 'vera@example.com'],
  findings: [{ _id, bssid: '30:AE:A4:04:74:8C', cause: 'fouling' }, 'Fouling, 30:AE:A4:04:74:8C'],
  servers: [{ _id, name: 'web-1/4711' }, 'web-1/4711'],
  audit: [{ _id, at, title: 'Deleted vendors' }, `Deleted vendors, ${formatDateTime(at)}`],
}

test.each(entities)('a row of %s has a name', entity => {
  const [row, name] = names[entity]
  expect(spokenName(entity, row as Row<Entity>)).toBe(name)
})

test('a vendor without a company is called by its login', () => {
  const row = { ...account, company_name: '', company_address: '' } as Row<'vendors'>
  expect(spokenName('vendors', row)).toBe('vera@example.com')
})

/** Endpoint for uploading cartridge types. */
import { cartridgeTypeFields as fields, cartridgeTypes as contract } from '../../../src/api/contract/filtration.ts'
import { cartridgeTypeUpload } from '../../../src/api/contract/uploads.ts'
import { insertMany } from '../../db/bulk.ts'
import { newId } from '../../db/id.ts'
import { cartridgeTypes } from '../../db/schema/filtration.ts'
import { cell, numeric, oneOf } from '../../files/cells.ts'
import { readSheet } from '../../files/readSheet.ts'
import { problems, tableOf, type Problems, type TableRow } from '../../files/table.ts'
import { handler } from '../../endpoints/handler.ts'
import { lockForWriting, reportDuplicateNames } from '../shared/names.ts'

const kinds = { 'pre-filter': 0, 'post-filter': 1, membrane: 2 }
const resource = numeric(fields.resource)
const ttl = numeric(fields.ttl)

/** Returns the row to insert. Missing and invalid values are added to `found`, in which case nothing is stored. */
const newType = (row: TableRow, found: Problems, now: Date) => ({
  id: newId(),
  model: cell(row, 'model', fields.model, found),
  type: oneOf(row, 'type', kinds, found),
  resource: cell(row, 'resource', resource, found),
  ttl: cell(row, 'ttl', ttl, found),
  name: cell(row, 'name', fields.name, found),
  description: cell(row, 'description', fields.description, found) ?? '',
  purchase_url: cell(row, 'purchase_url', fields.purchase_url, found) ?? '',
  image_url: cell(row, 'image_url', fields.image_url, found) ?? '',
  created_at: now,
  updated_at: now,
})

export const upload = handler(contract.upload, async ({ file, auditCreated, services: { db, now } }) => {
  const found = problems()
  const rows = tableOf(await readSheet(file), cartridgeTypeUpload, found)
  const made = rows.map(row => newType(row, found, now()))
  await db.transaction(async tx => {
    await lockForWriting(tx, cartridgeTypes)
    const names = { table: cartridgeTypes, id: cartridgeTypes.id, key: cartridgeTypes.model_key }
    await reportDuplicateNames(tx, names, rows, 'model', found)
    found.throwIfAny()
    await insertMany(tx, cartridgeTypes, made)
  })
  auditCreated(made.map(({ id }) => id))
  return { created: made.length }
})

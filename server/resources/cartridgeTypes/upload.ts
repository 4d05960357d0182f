/** Endpoint for uploading cartridge types. */
import { cartridgeTypeFields as fields, cartridgeTypes as contract } from '../../../src/api/contract/filtration.ts'
import { cartridgeTypeUpload } from '../../../src/domain/uploads.ts'
import { insertMany } from '../../db/bulk.ts'
import { newId } from '../../db/id.ts'
import { cartridgeTypes } from '../../db/schema/filtration.ts'
import { cell, numeric, oneOf } from '../../files/cells.ts'
import { readSheet } from '../../files/readSheet.ts'
import { mapInSlices } from '../../core/batches.ts'
import { collectProblems, parseTable, type Problems, type TableRow } from '../../files/table.ts'
import { handler } from '../../endpoints/handler.ts'
import { lockForWriting, reportDuplicateNames } from '../shared/names.ts'

/** The words of the column `type`, with the numbers that are stored for them. */
const kinds = { 'pre-filter': 0, 'post-filter': 1, membrane: 2 }
const resource = numeric(fields.resource)
const ttl = numeric(fields.ttl)

/** Returns the row to insert. Missing and invalid values are added to `problems`; the upload then stores nothing. */
const newType = (row: TableRow, problems: Problems, now: Date) => ({
  id: newId(),
  model: cell(row, 'model', fields.model, problems),
  type: oneOf(row, 'type', kinds, problems),
  resource: cell(row, 'resource', resource, problems),
  ttl: cell(row, 'ttl', ttl, problems),
  name: cell(row, 'name', fields.name, problems),
  description: cell(row, 'description', fields.description, problems) ?? '',
  purchase_url: cell(row, 'purchase_url', fields.purchase_url, problems) ?? '',
  image_url: cell(row, 'image_url', fields.image_url, problems) ?? '',
  created_at: now,
  updated_at: now,
})

export const upload = handler(contract.upload, async ({ file, auditCreated, services: { db, now } }) => {
  const problems = collectProblems()
  const rows = await parseTable(readSheet(file), cartridgeTypeUpload, problems)
  const newRows = await mapInSlices(rows, row => newType(row, problems, now()))
  await db.transaction(async tx => {
    await lockForWriting(tx, cartridgeTypes)
    const names = { table: cartridgeTypes, id: cartridgeTypes.id, key: cartridgeTypes.model_key }
    await reportDuplicateNames(tx, names, rows, 'model', problems)
    problems.throwIfAny()
    await insertMany(tx, cartridgeTypes, newRows)
  })
  auditCreated(newRows.map(({ id }) => id))
  return { created: newRows.length }
})

/** Endpoint for uploading filtration systems. */
import { eq, sql } from 'drizzle-orm'
import { filtrationSystems as contract, maxCartridges, SystemModel } from '../../../src/api/contract/filtration.ts'
import { filtrationSystemUpload } from '../../../src/api/contract/uploads.ts'
import { insertMany } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { nameKeys } from '../../db/caseFold.ts'
import { newId } from '../../db/id.ts'
import { accounts, caseless } from '../../db/schema/accounts.ts'
import {
  cartridgeTypes,
  filtrationSystemCartridges,
  filtrationSystemGroups,
  filtrationSystems,
} from '../../db/schema/filtration.ts'
import { cell, oneOf } from '../../files/cells.ts'
import { readSheet } from '../../files/readSheet.ts'
import { problems, tableOf, type Problems, type TableRow } from '../../files/table.ts'
import { handler } from '../../endpoints/handler.ts'
import { lockForWriting, reportDuplicateNames } from '../shared/names.ts'

/** Spreadsheets write TRUE and FALSE. */
const flags = { yes: true, no: false, true: true, false: false }
const separator = ';'

/** Ids of existing rows that an upload refers to, by name key. */
interface References {
  readonly nameKeyOf: (name: string) => string
  readonly groups: ReadonlyMap<string, string>
  readonly vendors: ReadonlyMap<string, string>
  readonly types: ReadonlyMap<string, string>
}

export const upload = handler(contract.upload, async ({ file, auditCreated, services: { db, now } }) => {
  const found = problems()
  const rows = tableOf(await readSheet(file), filtrationSystemUpload, found)
  const made = await db.transaction(async tx => {
    const references = await loadReferences(tx, rows)
    await lockForWriting(tx, filtrationSystems)
    const names = { table: filtrationSystems, id: filtrationSystems.id, key: filtrationSystems.model_key }
    await reportDuplicateNames(tx, names, rows, 'model', found)
    const made = rows.map(row => newSystem(row, references, found, now()))
    found.throwIfAny()
    await insertMany(
      tx,
      filtrationSystems,
      made.map(({ system }) => system),
    )
    await insertMany(
      tx,
      filtrationSystemCartridges,
      made.flatMap(({ system, cartridges }) =>
        cartridges.map((type, position) => ({
          filtration_system_id: system.id,
          position,
          cartridge_type_id: type,
        })),
      ),
    )
    return made
  })
  auditCreated(made.map(({ system }) => system.id))
  return { created: made.length }
})

const modelsIn = (row: TableRow) =>
  (row.cells.cartridges ?? '')
    .split(separator)
    .map(model => model.trim())
    .filter(Boolean)

async function loadReferences(tx: Database, rows: readonly TableRow[]): Promise<References> {
  const nameKeyOf = await nameKeys(
    tx,
    rows.flatMap(row => [row.cells.group ?? '', row.cells.vendor ?? '', ...modelsIn(row)]),
  )
  const groups = await tx
    .select({ key: filtrationSystemGroups.name_key, id: filtrationSystemGroups.id })
    .from(filtrationSystemGroups)
  const vendors = await tx
    .select({ key: sql<string>`${caseless(accounts.login)}`, id: accounts.id })
    .from(accounts)
    .where(eq(accounts.role, 'vendor'))
    .for('key share')
  const types = await tx.select({ key: cartridgeTypes.model_key, id: cartridgeTypes.id }).from(cartridgeTypes)
  const byKey = (all: readonly { key: string; id: string }[]) => new Map(all.map(({ key, id }) => [key, id]))
  return { nameKeyOf, groups: byKey(groups), vendors: byKey(vendors), types: byKey(types) }
}

/** Returns the rows to insert. Missing and invalid values are added to `found`, in which case nothing is stored. */
function newSystem(row: TableRow, references: References, found: Problems, now: Date) {
  const resolve = (column: string, name: string, ids: ReadonlyMap<string, string>) => {
    const id = ids.get(references.nameKeyOf(name))
    if (id === undefined && name !== '') found.add(row, `${column} ${name} not found`)
    return id
  }
  const models = modelsIn(row)
  if (models.length > maxCartridges) found.add(row, `cartridges must have at most ${maxCartridges}`)
  const flushing = oneOf(row, 'flushing', flags, found) ?? false
  const system = {
    id: newId(),
    model: cell(row, 'model', SystemModel, found),
    group_id: resolve('group', row.cells.group ?? '', references.groups) ?? null,
    vendor_id: resolve('vendor', row.cells.vendor ?? '', references.vendors) ?? null,
    flushing,
    // The default of a flushing system is balanced smart flushing.
    flush_smart: flushing ? 'balanced' : null,
    created_at: now,
    updated_at: now,
  }
  return { system, cartridges: models.flatMap(model => resolve('cartridges', model, references.types) ?? []) }
}

/** Endpoint for uploading filtration systems. */
import { eq, sql } from 'drizzle-orm'
import { filtrationSystems as contract, maxCartridges, SystemModel } from '../../../src/api/contract/filtration.ts'
import { filtrationSystemUpload } from '../../../src/domain/uploads.ts'
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
import { flatMapLazily, mapInSlices } from '../../core/batches.ts'
import { collectProblems, parseTable, type Problems, type TableRow } from '../../files/table.ts'
import { handler } from '../../endpoints/handler.ts'
import { lockForWriting, reportDuplicateNames } from '../shared/names.ts'

/** The words of a yes-or-no column; spreadsheets write TRUE and FALSE. */
const booleans = { yes: true, no: false, true: true, false: false }
const separator = ';'

/** Ids of existing rows that an upload refers to, by name key. */
interface References {
  /** Returns the key by which names are compared. */
  readonly nameKeyOf: (name: string) => string
  readonly groups: ReadonlyMap<string, string>
  readonly vendors: ReadonlyMap<string, string>
  readonly cartridgeTypes: ReadonlyMap<string, string>
}

export const upload = handler(
  contract.upload,
  async ({ file, auditCreated, affectedVendors, services: { db, now } }) => {
    const problems = collectProblems()
    const rows = await parseTable(readSheet(file), filtrationSystemUpload, problems)
    const systems = await db.transaction(async tx => {
      const references = await loadReferences(tx, rows)
      await lockForWriting(tx, filtrationSystems)
      const names = { table: filtrationSystems, id: filtrationSystems.id, key: filtrationSystems.model_key }
      await reportDuplicateNames(tx, names, rows, 'model', problems)
      const newRows = await mapInSlices(rows, row => newSystem(row, references, problems, now()))
      problems.throwIfAny()
      await insertMany(
        tx,
        filtrationSystems,
        flatMapLazily(newRows, ({ system }) => [system]),
      )
      await insertMany(
        tx,
        filtrationSystemCartridges,
        flatMapLazily(newRows, ({ system, cartridges }) =>
          cartridges.map((type, position) => ({
            filtration_system_id: system.id,
            position,
            cartridge_type_id: type,
          })),
        ),
      )
      return newRows
    })
    auditCreated(systems.map(({ system }) => system.id))
    affectedVendors(systems.map(({ system }) => system.vendor_id))
    return { created: systems.length }
  },
)

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
  return { nameKeyOf, groups: byKey(groups), vendors: byKey(vendors), cartridgeTypes: byKey(types) }
}

/** Returns the rows to insert, and adds missing and invalid values to `problems`. */
function newSystem(row: TableRow, references: References, problems: Problems, now: Date) {
  const resolve = (column: string, name: string, ids: ReadonlyMap<string, string>) => {
    const id = ids.get(references.nameKeyOf(name))
    if (id === undefined && name !== '') problems.add(row, `${column} ${name} not found`)
    return id
  }
  const models = modelsIn(row)
  if (models.length > maxCartridges) problems.add(row, `cartridges must have at most ${maxCartridges}`)
  const flushing = oneOf(row, 'flushing', booleans, problems) ?? false
  const system = {
    id: newId(),
    model: cell(row, 'model', SystemModel, problems),
    group_id: resolve('group', row.cells.group ?? '', references.groups) ?? null,
    vendor_id: resolve('vendor', row.cells.vendor ?? '', references.vendors) ?? null,
    flushing,
    // The default of a flushing system is balanced smart flushing.
    flush_smart: flushing ? 'balanced' : null,
    created_at: now,
    updated_at: now,
  }
  return { system, cartridges: models.flatMap(model => resolve('cartridges', model, references.cartridgeTypes) ?? []) }
}

/** Endpoints of filtration system groups. */
import { eq } from 'drizzle-orm'
import { filtrationSystemGroups as contract, GroupName } from '../../../src/api/contract/filtration.ts'
import { groupUpload } from '../../../src/domain/uploads.ts'
import { insertMany } from '../../db/bulk.ts'
import { newId } from '../../db/id.ts'
import { filtrationSystemGroups, filtrationSystems } from '../../db/schema/filtration.ts'
import { notFound } from '../../core/errors.ts'
import { cell } from '../../files/cells.ts'
import { readSheet } from '../../files/readSheet.ts'
import { collectProblems, parseTable } from '../../files/table.ts'
import { handler, type Handler } from '../../endpoints/handler.ts'
import { lockForWriting, rejectDuplicateName, reportDuplicateNames } from '../shared/names.ts'
import { groupLists, groupsByKeys } from './list.ts'

const names = {
  table: filtrationSystemGroups,
  id: filtrationSystemGroups.id,
  key: filtrationSystemGroups.name_key,
}

const edit = handler(contract.edit, ({ params: { id }, body: { name }, affectedVendors, services: { db, now } }) =>
  db.transaction(async tx => {
    await lockForWriting(tx, filtrationSystemGroups)
    if ((await groupsByKeys(tx, [id])).length === 0) throw notFound('Group')
    await rejectDuplicateName(tx, names, id, name, 'A group of this name already exists')
    const systems = await tx
      .selectDistinct({ vendor: filtrationSystems.vendor_id })
      .from(filtrationSystems)
      .where(eq(filtrationSystems.group_id, id))
    affectedVendors(systems.map(({ vendor }) => vendor))
    await tx.update(filtrationSystemGroups).set({ name, updated_at: now() }).where(eq(filtrationSystemGroups.id, id))
    return (await groupsByKeys(tx, [id]))[0]!
  }),
)

const upload = handler(contract.upload, async ({ file, auditCreated, services: { db, now } }) => {
  const problems = collectProblems()
  const rows = await parseTable(readSheet(file), groupUpload, problems)
  const times = { created_at: now(), updated_at: now() }
  const newRows = rows.map(row => ({ id: newId(), name: cell(row, 'name', GroupName, problems), ...times }))
  await db.transaction(async tx => {
    await lockForWriting(tx, filtrationSystemGroups)
    await reportDuplicateNames(tx, names, rows, 'name', problems)
    problems.throwIfAny()
    await insertMany(tx, filtrationSystemGroups, newRows)
  })
  auditCreated(newRows.map(({ id }) => id))
  return { created: newRows.length }
})

export const filtrationGroupHandlers: readonly Handler[] = [...groupLists, edit, upload]

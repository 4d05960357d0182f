/** Endpoints of cartridge types. */
import { eq } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { cartridgeTypes as contract, type CartridgeType } from '../../../src/api/contract/filtration.ts'
import { cartridgeTypeColumns } from '../../../src/domain/columns/filtration.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { deviceCartridges, devices } from '../../db/schema/devices.ts'
import { cartridgeTypes, filtrationSystemCartridges, filtrationSystems } from '../../db/schema/filtration.ts'
import { notFound } from '../../core/errors.ts'
import { handler, type Handler } from '../../endpoints/handler.ts'
import { refreshReplacement, withCartridgeType } from '../../devices/cartridges.ts'
import { listPage } from '../shared/list.ts'
import type { ListDefinition } from '../shared/listDefinition.ts'
import { storedColumns } from '../shared/listColumns.ts'
import { lockForWriting, rejectDuplicateName } from '../shared/names.ts'
import { upload } from './upload.ts'

const typeList: ListDefinition = {
  table: cartridgeTypes,
  key: cartridgeTypes.id,
  definition: contract.list.columns!,
  columns: storedColumns(cartridgeTypes, cartridgeTypeColumns, {}),
}

/** Returns the cartridge types of these keys, in the keys' order; missing ones are left out. */
async function typesByKeys(db: Database, keys: readonly string[]): Promise<z.input<typeof CartridgeType>[]> {
  const rows = await db.select().from(cartridgeTypes).where(anyOf(cartridgeTypes.id, keys))
  const byKey = new Map(
    rows.map(({ id, model_key: _, created_at, updated_at, ...type }) => [
      id,
      { _id: id, ...type, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
    ]),
  )
  return keys.flatMap(key => byKey.get(key) ?? [])
}

const list = handler(contract.list, async ({ query, services: { db } }) => {
  const { count, keys } = await listPage(db, typeList, undefined, query)
  return { count, data: await typesByKeys(db, keys) }
})

const names = { table: cartridgeTypes, id: cartridgeTypes.id, key: cartridgeTypes.model_key }

const edit = handler(contract.edit, ({ params: { id }, body, affectedVendors, services: { db, now } }) =>
  db.transaction(async tx => {
    await lockForWriting(tx, cartridgeTypes)
    const [before] = await typesByKeys(tx, [id])
    if (before === undefined) throw notFound('Cartridge type')
    if (body.model !== undefined)
      await rejectDuplicateName(tx, names, id, body.model, 'A cartridge type of this model already exists')
    affectedVendors(await vendorsUsing(tx, id))
    await tx
      .update(cartridgeTypes)
      .set({ ...body, updated_at: now() })
      .where(eq(cartridgeTypes.id, id))
    // The lifetime determines the next replacement in every device with this type, and both determine its forecasts.
    const isOther = (name: 'ttl' | 'resource') => body[name] !== undefined && body[name] !== before[name]
    if (isOther('ttl') || isOther('resource')) await refreshReplacement(tx, withCartridgeType(id), now())
    return (await typesByKeys(tx, [id]))[0]!
  }),
)

/** Returns the vendors with devices that have a cartridge of this type, or filtration systems that need one. */
async function vendorsUsing(db: Database, id: string): Promise<(string | null)[]> {
  const fitted = await db
    .selectDistinct({ vendor: devices.vendor_id })
    .from(deviceCartridges)
    .innerJoin(devices, eq(devices.bssid, deviceCartridges.bssid))
    .where(eq(deviceCartridges.cartridge_type_id, id))
  const needed = await db
    .selectDistinct({ vendor: filtrationSystems.vendor_id })
    .from(filtrationSystemCartridges)
    .innerJoin(filtrationSystems, eq(filtrationSystems.id, filtrationSystemCartridges.filtration_system_id))
    .where(eq(filtrationSystemCartridges.cartridge_type_id, id))
  return [...fitted, ...needed].map(({ vendor }) => vendor)
}

export const cartridgeTypeHandlers: readonly Handler[] = [list, edit, upload]

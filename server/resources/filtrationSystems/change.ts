/** Endpoints that edit, assign and delete filtration systems. */
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { filtrationSystems as contract } from '../../../src/api/contract/filtration.ts'
import { anyOf } from '../../db/anyOf.ts'
import { insertMany } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import {
  cartridgeTypes,
  filtrationSystemCartridges,
  filtrationSystemGroups,
  filtrationSystems,
} from '../../db/schema/filtration.ts'
import { notFound } from '../../core/errors.ts'
import { lockAgainstDeletion } from '../../auth/accounts.ts'
import { handler, isPreview } from '../../endpoints/handler.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { refitCartridges } from '../../devices/cartridges.ts'
import { omitUndefined } from '../../../src/domain/lib/omitUndefined.ts'
import { countUses, usedByCompanies, usedByText } from '../shared/inUse.ts'
import { lockForWriting, rejectDuplicateName } from '../shared/names.ts'

const noun = 'Filtration system'
const names = { table: filtrationSystems, id: filtrationSystems.id, key: filtrationSystems.model_key }

export const edit = handler(
  contract.edit,
  async ({ params: { id }, body, affectedVendors, services: { db, alarms, now } }) => {
    const changed = await db.transaction(async tx => {
      await lockForWriting(tx, filtrationSystems)
      const [system] = await lockSystems(tx, [id])
      if (system === undefined) throw notFound(noun)
      affectedVendors([system.vendor])
      if (body.model !== undefined)
        await rejectDuplicateName(tx, names, id, body.model, 'A filtration system of this model already exists')
      if (body.group) await requireGroup(tx, body.group)
      const { model, group, flushing, flush } = body
      const change = omitUndefined({
        model,
        group_id: group,
        flushing,
        flush_smart: flush?.smart,
        flush_mode: flush?.mode,
        flush_frequency: flush?.frequency,
        flush_duration: flush?.duration,
        flush_volume: flush?.volume,
      })
      const cartridgesChanged = body.cartridges !== undefined && (await setCartridges(tx, id, body.cartridges))
      if (cartridgesChanged || Object.keys(change).length > 0)
        await tx
          .update(filtrationSystems)
          .set({ ...change, updated_at: now() })
          .where(eq(filtrationSystems.id, id))
      if (cartridgesChanged) await refitCartridges(tx, id, now())
      return cartridgesChanged ? devicesUsing(tx, id) : undefined
    })
    if (changed)
      await alarms.recordEvent(db, 'filtration_system_changed', changed.bssids, { filtration_system: changed.model })
    return {}
  },
)

/** Returns the model name of a filtration system and the devices that use it. */
async function devicesUsing(tx: Database, id: string): Promise<{ model: string; bssids: string[] }> {
  const rows = await tx
    .select({ model: filtrationSystems.model, bssid: devices.bssid })
    .from(devices)
    .innerJoin(filtrationSystems, eq(filtrationSystems.id, devices.filtration_system_id))
    .where(eq(devices.filtration_system_id, id))
  return { model: rows[0]?.model ?? '', bssids: rows.map(({ bssid }) => bssid) }
}

async function requireGroup(tx: Database, id: string): Promise<void> {
  if ((await tx.$count(filtrationSystemGroups, eq(filtrationSystemGroups.id, id))) === 0) throw notFound('Group')
}

/** Replaces a system's list of cartridges. Returns whether it changed. */
async function setCartridges(tx: Database, system: string, types: readonly string[]): Promise<boolean> {
  const existing = await tx.$count(cartridgeTypes, anyOf(cartridgeTypes.id, types))
  if (existing < new Set(types).size) throw notFound('Cartridge type')
  const previous = await tx
    .select({ type: filtrationSystemCartridges.cartridge_type_id })
    .from(filtrationSystemCartridges)
    .where(eq(filtrationSystemCartridges.filtration_system_id, system))
    .orderBy(asc(filtrationSystemCartridges.position))
  if (previous.length === types.length && previous.every(({ type }, position) => type === types[position])) return false
  await tx.delete(filtrationSystemCartridges).where(eq(filtrationSystemCartridges.filtration_system_id, system))
  await insertMany(
    tx,
    filtrationSystemCartridges,
    types.map((type, position) => ({ filtration_system_id: system, position, cartridge_type_id: type })),
  )
  return true
}

/** Locks filtration systems, so that none can be assigned to a device, and returns those that exist with their vendors. */
const lockSystems = (tx: Database, ids: readonly string[]) =>
  tx
    .select({ id: filtrationSystems.id, vendor: filtrationSystems.vendor_id })
    .from(filtrationSystems)
    .where(anyOf(filtrationSystems.id, ids))
    .orderBy(asc(filtrationSystems.id))
    .for('update')

export const assignVendor = handler(contract.assignVendor, call => {
  const { ids, vendor } = call.body
  const { db, now } = call.services
  return db.transaction(async tx => {
    if (vendor !== null) await lockAgainstDeletion(tx, { id: vendor, role: 'vendor' })
    await lockForWriting(tx, filtrationSystems)
    const outcomes = new Map<string, string | undefined>()
    const systems = await lockSystems(tx, ids)
    for (const { id } of systems) {
      const uses = eq(devices.filtration_system_id, id)
      const ofOtherVendors = vendor === null ? undefined : ne(devices.vendor_id, vendor)
      outcomes.set(id, await usedByCompanies(tx, uses, ofOtherVendors, noun.toLowerCase()))
    }
    if (isPreview(call)) return bulkResponse(noun, ids, outcomes)
    const assigned = [...outcomes].filter(([, reason]) => reason === undefined).map(([id]) => id)
    call.affectedVendors([vendor, ...systems.filter(({ id }) => assigned.includes(id)).map(system => system.vendor)])
    await tx
      .update(filtrationSystems)
      .set({ vendor_id: vendor, updated_at: now() })
      .where(and(anyOf(filtrationSystems.id, assigned), sql`${filtrationSystems.vendor_id} is distinct from ${vendor}`))
    return bulkResponse(noun, ids, outcomes, new Map(systems.map(system => [system.id, { vendor: system.vendor }])))
  })
})

export const remove = handler(contract.delete, call => {
  const { ids } = call.body
  return call.services.db.transaction(async tx => {
    await lockForWriting(tx, filtrationSystems)
    const systems = await lockSystems(tx, ids)
    const existing = systems.map(({ id }) => id)
    const uses = await countUses(tx, devices.filtration_system_id, existing)
    const unused = existing.filter(id => !uses.has(id))
    call.affectedVendors(systems.filter(({ id }) => !uses.has(id)).map(({ vendor }) => vendor))
    if (!isPreview(call)) await tx.delete(filtrationSystems).where(anyOf(filtrationSystems.id, unused))
    const outcomes = existing.map(id => {
      const n = uses.get(id)
      return [id, n === undefined ? undefined : usedByText(n, noun.toLowerCase())] as const
    })
    return bulkResponse(noun, ids, new Map(outcomes))
  })
})

/** Endpoint that creates and changes device models. */
import { and, eq, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { models as contract } from '../../../src/api/contract/models.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { lowered } from '../../db/caseFold.ts'
import { newId } from '../../db/id.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceModels, deviceModelVendors } from '../../db/schema/models.ts'
import { conflict, forbidden, notFound } from '../../core/errors.ts'
import { handler, type Caller } from '../../endpoints/handler.ts'
import { usedByCompanies } from '../shared/inUse.ts'
import { lockForWriting } from '../shared/names.ts'
import { modelsOf, ownModels } from '../shared/scope.ts'

interface SavedModel {
  readonly id: string
  /** The vendor that owns the model; null for administrators. */
  readonly owner: string | null
  /** Vendors that the model is offered to. */
  readonly vendors: readonly string[]
}

export const save = handler(contract.save, ({ body, caller, affectedVendors, services: { db, now } }) =>
  db.transaction(async tx => {
    const requested = await resolveVendors(tx, caller, body.vendors)
    await lockForWriting(tx, deviceModels)
    const model =
      body._id === undefined
        ? { id: newId(), owner: caller.vendor, vendors: requested }
        : await lockModel(tx, caller, body._id, requested)
    await rejectDuplicateModelName(tx, model, body.name)
    affectedVendors([model.owner, ...model.vendors, ...(await offersOf(tx, [model.id]))])
    await storeModel(tx, model, body, now())
    return { _id: model.id }
  }),
)

/**
 * Locks the vendors and returns their distinct ids. Throws a 404 for unknown vendors; for a vendor as the caller, all
 * other vendors count as unknown.
 */
async function resolveVendors(tx: Database, caller: Caller, ids: readonly string[]): Promise<string[]> {
  const requested = [...new Set(ids)]
  if (caller.vendor !== null) {
    if (requested.some(id => id !== caller.vendor)) throw notFound('Vendor')
    return requested
  }
  const vendors = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.role, 'vendor'), inArray(accounts.id, requested)))
    .for('key share')
  if (vendors.length < requested.length) throw notFound('Vendor')
  return requested
}

/**
 * Locks a model and returns it with its new vendors. A vendor's change keeps the vendors that administrators added.
 * Throws a 404 for a model that the caller may not see, a 403 for one that it does not own, and a 409 if devices of
 * a removed vendor use it.
 */
async function lockModel(tx: Database, caller: Caller, id: string, requested: readonly string[]): Promise<SavedModel> {
  const [model] = await tx
    .select({ owner: deviceModels.owner_id })
    .from(deviceModels)
    .where(and(eq(deviceModels.id, id), ownModels(caller)))
    .for('update')
  if (model === undefined) throw notFound('Device model')
  const { owner } = model
  if (caller.vendor !== null) {
    if (owner !== caller.vendor) throw forbidden(notOwnerMessage)
    return { id, owner, vendors: [...new Set([...requested, ...(await offersOf(tx, [id]))])] }
  }
  const remaining = owner === null ? [...requested] : [...requested, owner]
  const reason = await usedByCompanies(tx, eq(devices.model_id, id), notInArray(devices.vendor_id, remaining), 'model')
  if (reason !== undefined) throw conflict(reason)
  return { id, owner, vendors: requested }
}

/** Returns the vendors that any of these models is offered to. */
export async function offersOf(db: Database, ids: readonly string[]): Promise<string[]> {
  const offers = await db
    .selectDistinct({ vendor: deviceModelVendors.vendor_id })
    .from(deviceModelVendors)
    .where(anyOf(deviceModelVendors.model_id, ids))
  return offers.map(({ vendor }) => vendor)
}

/** Error for a model that is offered to a vendor but not owned by it. */
export const notOwnerMessage = 'Only its owner may change this model'

/**
 * Throws a 409 if a vendor, or the administrators, would have two models of the same name: uploads refer to models
 * by name. Names of other vendors' models are not revealed.
 */
async function rejectDuplicateModelName(tx: Database, { id, owner, vendors }: SavedModel, name: string): Promise<void> {
  const offeredTo = [...vendors, ...(owner === null ? [] : [owner])]
  const duplicates = await tx.$count(
    deviceModels,
    and(
      eq(deviceModels.name_key, lowered(sql`${name}::text`)),
      ne(deviceModels.id, id),
      or(owner === null ? isNull(deviceModels.owner_id) : undefined, ...offeredTo.map(modelsOf)),
    ),
  )
  if (duplicates > 0) throw conflict('A device model of this name already exists')
}

/** Inserts or updates a model with its offers. */
async function storeModel(
  tx: Database,
  { id, owner, vendors }: SavedModel,
  { platform, name, capabilities, bypass_flow_rates }: z.output<typeof contract.save.body>,
  now: Date,
): Promise<void> {
  const values = { platform, name, capabilities: [...new Set(capabilities)], bypass_flow_rates, updated_at: now }
  await tx
    .insert(deviceModels)
    .values({ id, owner_id: owner, ...values, created_at: now })
    .onConflictDoUpdate({ target: deviceModels.id, set: values })
  await tx.delete(deviceModelVendors).where(eq(deviceModelVendors.model_id, id))
  await tx.insert(deviceModelVendors).values(vendors.map(vendor => ({ model_id: id, vendor_id: vendor })))
}

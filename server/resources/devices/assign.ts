/**
 * Assigns models, filtration systems, time zones and water supplies to devices. These are stored only on the server, not on the
 * device, so they can also be changed while a device is offline.
 */
import { and, asc, eq, sql } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import type { BulkResponse } from '../../../src/api/contract/endpoint.ts'
import { messages } from '../../../src/domain/messages.ts'
import type { Database } from '../../db/database.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { filtrationSystems } from '../../db/schema/filtration.ts'
import { deviceModels, deviceModelVendors } from '../../db/schema/models.ts'
import { badRequest, notFound } from '../../core/errors.ts'
import { handler, isPreview, type Call, type Caller, type Handler } from '../../endpoints/handler.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { ownDevices, ownModels, ownSystems } from '../shared/scope.ts'
import { fitCartridges } from '../../devices/cartridges.ts'

/** Locks the devices that the caller may see, and returns them with their owners and current assignments. */
const lockDevices = (tx: Database, caller: Caller, ids: readonly string[]) =>
  tx
    .select({
      bssid: devices.bssid,
      vendor: devices.vendor_id,
      company: accounts.company_name,
      model: devices.model_id,
      filtration_system: devices.filtration_system_id,
      time_zone: devices.time_zone,
      water_supply: devices.water_supply,
    })
    .from(devices)
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .where(and(ownDevices(caller), sql`${devices.bssid} = any(${sql.param(ids)}::text[])`))
    .orderBy(asc(devices.bssid))
    .for('update', { of: devices })

/** A column of text that is stored as it was given. */
type TextField = 'time_zone' | 'water_supply'
type Field = 'model' | 'filtration_system' | TextField
/** Returns the previous values by device, in the form of the call that restores them. */
const previousValues = (
  lockedDevices: readonly ({ readonly bssid: string } & Readonly<Record<Field, string | null>>)[],
  field: Field,
) => new Map(lockedDevices.map(device => [device.bssid, { [field]: device[field] }]))

const setModel = handler(contract.setModel, call => {
  const { ids, model } = call.body
  const { db, now } = call.services
  return db.transaction(async tx => {
    // Locked, so that it can neither be withdrawn from a vendor nor deleted until the transaction ends.
    const [chosen] = await tx
      .select({ name: deviceModels.name, owner: deviceModels.owner_id })
      .from(deviceModels)
      .where(and(eq(deviceModels.id, model), ownModels(call.caller)))
      .for('share')
    if (chosen === undefined) throw notFound('Device model')
    const offers = await tx
      .select({ vendor: deviceModelVendors.vendor_id })
      .from(deviceModelVendors)
      .where(eq(deviceModelVendors.model_id, model))
    const vendors = new Set([chosen.owner, ...offers.map(({ vendor }) => vendor)])
    const lockedDevices = await lockDevices(tx, call.caller, ids)
    const outcomes = lockedDevices.map(({ bssid, vendor, company }) => {
      const reason = vendors.has(vendor) ? undefined : `Model ${chosen.name} is not offered to ${company}`
      return [bssid, reason] as const
    })
    if (isPreview(call)) return bulkResponse('Device', ids, new Map(outcomes))
    const changing = lockedDevices
      .filter(device => vendors.has(device.vendor) && device.model !== model)
      .map(({ bssid }) => bssid)
    await tx
      .update(devices)
      .set({ model_id: model, updated_at: now() })
      .where(sql`${devices.bssid} = any(${sql.param(changing)}::text[])`)
    return bulkResponse('Device', ids, new Map(outcomes), previousValues(lockedDevices, 'model'))
  })
})

interface System {
  readonly model: string
  readonly vendor: string | null
}

/** Locks and returns a filtration system. Throws a 404 if the caller has no access to it. */
async function lockSystem(tx: Database, caller: Caller, id: string): Promise<System> {
  const [system] = await tx
    .select({ model: filtrationSystems.model, vendor: filtrationSystems.vendor_id })
    .from(filtrationSystems)
    .where(and(eq(filtrationSystems.id, id), ownSystems(caller)))
    .for('share')
  if (system === undefined) throw notFound('Filtration system')
  return system
}

/** Throws a 400 unless all devices belong to the vendor that the filtration system is assigned to. */
function rejectOtherVendors(system: System, lockedDevices: Awaited<ReturnType<typeof lockDevices>>): void {
  if (new Set(lockedDevices.map(({ vendor }) => vendor)).size > 1) throw badRequest(messages.sameVendor)
  const [first] = lockedDevices
  if (first !== undefined && first.vendor !== system.vendor)
    throw badRequest(`Filtration system ${system.model} is not assigned to ${first.company}`)
}

const setFiltrationSystem = handler(contract.setFiltrationSystem, async call => {
  const { ids, filtration_system: system } = call.body
  const { db, alarms, now } = call.services
  const { chosen, changed, response } = await db.transaction(async tx => {
    const chosen = system === null ? undefined : await lockSystem(tx, call.caller, system)
    const lockedDevices = await lockDevices(tx, call.caller, ids)
    if (chosen) rejectOtherVendors(chosen, lockedDevices)
    const outcomes = new Map(lockedDevices.map(({ bssid }) => [bssid, undefined]))
    if (isPreview(call)) return { chosen, changed: [], response: bulkResponse('Device', ids, outcomes) }
    // A device that already has the system keeps its cartridges.
    const changed = lockedDevices.filter(({ filtration_system }) => filtration_system !== system)
    const changing = changed.map(({ bssid }) => bssid)
    await tx
      .update(devices)
      .set({ filtration_system_id: system, updated_at: now() })
      .where(sql`${devices.bssid} = any(${sql.param(changing)}::text[])`)
    await fitCartridges(tx, changing, system, now())
    const response = bulkResponse('Device', ids, outcomes, previousValues(changed, 'filtration_system'))
    return { chosen, changed: changing, response }
  })
  // Removing a system does not create a notification.
  if (chosen) await alarms.recordEvent('filtration_system_changed', changed, { filtration_system: chosen.model })
  return response
})

/** Stores the same text in a column of the caller's devices. */
function setText(
  call: Pick<Call, 'caller' | 'services'> & { readonly query: { readonly preview: 'true' | 'false' } },
  ids: readonly string[],
  field: TextField,
  value: string | null,
): Promise<BulkResponse> {
  const { db, now } = call.services
  return db.transaction(async tx => {
    const lockedDevices = await lockDevices(tx, call.caller, ids)
    const outcomes = new Map(lockedDevices.map(({ bssid }) => [bssid, undefined]))
    if (isPreview(call)) return bulkResponse('Device', ids, outcomes)
    await tx
      .update(devices)
      .set({ [field]: value, updated_at: now() })
      .where(sql`${devices.bssid} = any(${sql.param([...outcomes.keys()])}::text[])`)
    return bulkResponse('Device', ids, outcomes, previousValues(lockedDevices, field))
  })
}

const setTimeZone = handler(contract.setTimeZone, call => {
  const { ids, time_zone } = call.body
  return setText(call, ids, 'time_zone', time_zone)
})

const setWaterSupply = handler(contract.setWaterSupply, call => {
  const { ids, water_supply } = call.body
  return setText(call, ids, 'water_supply', water_supply)
})

export const assignHandlers: readonly Handler[] = [setModel, setFiltrationSystem, setTimeZone, setWaterSupply]

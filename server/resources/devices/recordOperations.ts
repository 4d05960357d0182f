/** What the changes of records do: assign models, filtration systems, time zones and water supplies, and delete devices. */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { messages } from '../../../src/domain/messages.ts'
import { badRequest, HttpError, notFound } from '../../core/errors.ts'
import type { Database } from '../../db/database.ts'
import { devices } from '../../db/schema/devices.ts'
import { filtrationSystems } from '../../db/schema/filtration.ts'
import { deviceModels, deviceModelVendors } from '../../db/schema/models.ts'
import { deviceTwins } from '../../db/schema/telemetry.ts'
import { fitCartridges } from '../../devices/cartridges.ts'
import { ownModels, ownSystems, type Scope } from '../shared/scope.ts'
import type { OperationInput } from './operations.ts'
import type { LockedDevice, RecordOwner, RecordOperation } from './records.ts'

/** Creates the operation of a command from its values. */
type CreateRecordOperation = (
  input: OperationInput,
  tx: Database,
  scope: Scope,
) => RecordOperation | Promise<RecordOperation>

/** Returns SQL that an id equals if it is that of one of the devices. */
const anyBssidOf = (some: readonly LockedDevice[]) => sql`any(${sql.param(some.map(({ bssid }) => bssid))}::text[])`

/** Stores values of devices. */
const set = (
  tx: Database,
  changing: readonly LockedDevice[],
  values: Partial<typeof devices.$inferInsert> & { readonly updated_at: Date },
) =>
  tx
    .update(devices)
    .set(values)
    .where(sql`${devices.bssid} = ${anyBssidOf(changing)}`)

async function setModel({ model }: { readonly model: string }, tx: Database, scope: Scope): Promise<RecordOperation> {
  // Locked, so that it can neither be withdrawn from a vendor nor deleted until the transaction ends.
  const [chosen] = await tx
    .select({ name: deviceModels.name, owner: deviceModels.owner_id })
    .from(deviceModels)
    .where(and(eq(deviceModels.id, model), ownModels(scope)))
    .for('share')
  if (chosen === undefined) throw notFound('Device model')
  const offers = await tx
    .select({ vendor: deviceModelVendors.vendor_id })
    .from(deviceModelVendors)
    .where(eq(deviceModelVendors.model_id, model))
  const vendors = new Set([chosen.owner, ...offers.map(({ vendor }) => vendor)])
  return {
    blockedReason: ({ vendor, company }) =>
      vendors.has(vendor) ? undefined : `Model ${chosen.name} is not offered to ${company}`,
    async change(tx, changing, now) {
      const others = changing.filter(device => device.model !== model)
      await set(tx, others, { model_id: model, updated_at: now })
    },
    previousValues: device => ({ model: device.model }),
  }
}

interface System {
  readonly model: string
  readonly vendor: string | null
}

/** Locks and returns a filtration system. Throws a 404 if it is not in the scope. */
async function lockSystem(tx: Database, scope: Scope, id: string): Promise<System> {
  const [system] = await tx
    .select({ model: filtrationSystems.model, vendor: filtrationSystems.vendor_id })
    .from(filtrationSystems)
    .where(and(eq(filtrationSystems.id, id), ownSystems(scope)))
    .for('share')
  if (system === undefined) throw notFound('Filtration system')
  return system
}

const systemOperation = (
  id: string | null,
): RecordOperation & Required<Pick<RecordOperation, 'change' | 'previousValues'>> => ({
  async change(tx, changing, now) {
    // A device that already has the system keeps its cartridges.
    const others = changing.filter(device => device.filtration_system !== id)
    await set(tx, others, { filtration_system_id: id, updated_at: now })
    await fitCartridges(
      tx,
      others.map(({ bssid }) => bssid),
      id,
      now,
    )
  },
  previousValues: ({ filtration_system }) => (filtration_system === id ? undefined : { filtration_system }),
  // Undo restores only that a device had no system. Giving it its earlier system again would fit new cartridges, without wear.
  isRestorable: values => values['filtration_system'] === null,
})

async function setFiltrationSystem(
  { filtration_system: id }: { readonly filtration_system: string | null },
  tx: Database,
  scope: Scope,
): Promise<RecordOperation> {
  // Removing a system does not create a notification.
  if (id === null) return systemOperation(null)
  const system = await lockSystem(tx, scope, id)
  const blockedReason = ({ vendor, company }: RecordOwner) =>
    vendor === system.vendor ? undefined : `Filtration system ${system.model} is not assigned to ${company}`
  return {
    ...systemOperation(id),
    blockedReason,
    rejectTogether(owners) {
      if (new Set(owners.map(({ vendor }) => vendor)).size > 1) throw badRequest(messages.sameVendor)
      const [first] = owners
      const reason = first && blockedReason(first)
      if (reason !== undefined) throw badRequest(reason)
    },
    async committed({ db, alarms }, changed) {
      const bssids = changed.filter(({ filtration_system }) => filtration_system !== id).map(({ bssid }) => bssid)
      await alarms.recordEvent(db, 'filtration_system_changed', bssids, { filtration_system: system.model })
    },
  }
}

/** Sets a column of text that is stored as it was given. */
const setText = (field: 'time_zone' | 'water_supply', value: string | null): RecordOperation => ({
  async change(tx, changing, now) {
    await set(tx, changing, { [field]: value, updated_at: now })
  },
  previousValues: device => ({ [field]: device[field] }),
})

const deletion: RecordOperation = {
  async lockFirst(tx, targets) {
    // Locks twins in the same order as storing readings does, to avoid deadlocks.
    await tx
      .select({ bssid: deviceTwins.bssid })
      .from(deviceTwins)
      .where(inArray(deviceTwins.bssid, tx.select({ bssid: devices.bssid }).from(devices).where(targets)))
      .orderBy(asc(deviceTwins.bssid))
      .for('update')
  },
  async change(tx, changing) {
    // Foreign keys delete the dependent rows of a device; retention.ts deletes its readings later.
    await tx.delete(devices).where(sql`${devices.bssid} = ${anyBssidOf(changing)}`)
  },
  committed({ bus }, changed) {
    // At this event the gateway disconnects the devices, whose credentials are deleted with them.
    bus.publish({ kind: 'deleted', bssids: changed.map(({ bssid }) => bssid) })
  },
}

/** The operations by the names of `recordCommands`. The contract's schemas have checked the inputs, so they have these types. */
const operations: Readonly<Record<string, CreateRecordOperation>> = {
  set_model: (input, tx, scope) => setModel(input as { model: string }, tx, scope),
  set_filtration_system: (input, tx, scope) =>
    setFiltrationSystem(input as { filtration_system: string | null }, tx, scope),
  set_time_zone: input => setText('time_zone', input['time_zone'] as string | null),
  set_water_supply: input => setText('water_supply', input['water_supply'] as string | null),
  delete: () => deletion,
}

interface Change {
  readonly command: string
  readonly input: OperationInput
  readonly scope: Scope
}

/**
 * Returns the operation of a command of `recordCommands`. The model or filtration system that its input names is read in `tx`,
 * and locked until that ends. Rejects with a 404 if it is not in the scope.
 */
export const recordOperationOf = async (tx: Database, { command, input, scope }: Change): Promise<RecordOperation> =>
  operations[command]!(input, tx, scope)

/**
 * Returns the operation of a job that was created earlier. If the model or filtration system that its input names is not in the scope
 * any more, the operation skips all devices, with that as the reason.
 */
export async function laterRecordOperationOf(tx: Database, change: Change): Promise<RecordOperation> {
  try {
    return await recordOperationOf(tx, change)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return { blockedReason: () => error.message, change: async () => undefined }
  }
}

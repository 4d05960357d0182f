/** Endpoints for firmware updates. Success means that the device has started; its states report the progress. */
import { eq } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import type { Database } from '../../db/database.ts'
import { firmwareVersions } from '../../db/schema/models.ts'
import { badRequest, conflict, notFound } from '../../core/errors.ts'
import { handler, type Handler } from '../../endpoints/handler.ts'
import { findTargets, runOnMany, sendCommand, type DeviceOperation, type Target } from './bulk.ts'

/** Returns the platforms that have a firmware version. */
async function platformsOf(db: Database, version: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ platform: firmwareVersions.platform })
    .from(firmwareVersions)
    .where(eq(firmwareVersions.version, version))
  return new Set(rows.map(({ platform }) => platform))
}

const missingText = (version: string, { platform }: Target) => `There is no firmware ${version} for ${platform}`

/** Returns the operation that updates devices to a version, skipping devices that already run it. */
const updateOperation = (version: string): DeviceOperation => ({
  command: { type: 'update_firmware', version },
  blockedReason: ({ firmware }) => (firmware === version ? `Firmware ${version} is already installed` : undefined),
})

export const firmwareHandlers: readonly Handler[] = [
  handler(contract.updateFirmwareOfMany, async call => {
    const { ids, version } = call.body
    const platforms = await platformsOf(call.services.db, version)
    const operation = updateOperation(version)
    return runOnMany(call, ids, {
      ...operation,
      blockedReason: target =>
        platforms.has(target.platform) ? operation.blockedReason?.(target) : missingText(version, target),
    })
  }),
  handler(contract.updateFirmware, async ({ params, body: { version }, caller, services: { db, link } }) => {
    const [target] = await findTargets(db, caller, [params.id])
    if (target === undefined) throw notFound('Device')
    if (!(await platformsOf(db, version)).has(target.platform)) throw badRequest(missingText(version, target))
    const reason = await sendCommand(link, target, updateOperation(version))
    if (reason !== undefined) throw conflict(reason)
    return {}
  }),
]

/** Endpoint for the firmware of one device. Success means that the update has started; the device's states report the progress. */
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { badRequest, conflict, notFound } from '../../core/errors.ts'
import { handler } from '../../endpoints/handler.ts'
import { findTargets, sendCommand } from './bulk.ts'
import { missingText, platformsOf, updateOperation } from './operations.ts'

export const updateFirmware = handler(
  contract.updateFirmware,
  async ({ params, body: { version }, caller, services: { db, link } }) => {
    const [target] = await findTargets(db, caller, [params.id])
    if (target === undefined) throw notFound('Device')
    const platforms = await platformsOf(db, version)
    if (!platforms.has(target.platform)) throw badRequest(missingText(version, target))
    const reason = await sendCommand(link, target, updateOperation(version, platforms))
    if (reason !== undefined) throw conflict(reason)
    return {}
  },
)

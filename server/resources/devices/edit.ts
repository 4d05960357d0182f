/** Endpoint that changes one device. */
import { and, sql } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { devices } from '../../db/schema/devices.ts'
import type { Change } from '../../devices/changes.ts'
import { conflict } from '../../core/errors.ts'
import { handler } from '../../endpoints/handler.ts'
import { omitUndefined } from '../../../src/domain/lib/omitUndefined.ts'
import { ownDevices } from '../shared/scope.ts'
import { findTargets, sendCommand } from './bulk.ts'
import { ownDevice } from './detail.ts'
import { valveOperation } from './operations.ts'

export const edit = handler(contract.edit, async call => {
  const { params, body, caller } = call
  const { db, link, now } = call.services
  const [target] = await findTargets(db, caller, [params.bssid])
  const valve = body.valve_closed
  if (target !== undefined && valve !== undefined) {
    const reason = await sendCommand(link, target, valveOperation(valve))
    if (reason !== undefined) throw conflict(reason)
  }
  const change = omitUndefined<Change>({ description: body.description, valve_closed: valve })
  if (target !== undefined)
    await db
      .update(devices)
      .set({ ...change, updated_at: now() })
      .where(and(ownDevices(caller), sql`${devices.bssid} = ${params.bssid}`))
  return ownDevice(db, caller, params.bssid)
})

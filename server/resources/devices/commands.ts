/** Endpoint of the commands that were sent to a device. */
import { desc, eq } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import type { SentCommand } from '../../../src/api/contract/sentCommands.ts'
import { deviceCommands } from '../../db/schema/wire.ts'
import type { DeviceCommand } from '../../protocol/commands.ts'
import { commandValues, isSettingCommand } from '../../protocol/settings.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevice } from './detail.ts'

/** Returns a command's values by the field names of the API. */
function valuesOf(command: DeviceCommand): SentCommand['values'] {
  if (isSettingCommand(command)) return commandValues(command)
  const { type: _, ...values } = command
  return values
}

export const commands = handler(contract.commands, async ({ params, query, caller, services: { db } }) => {
  const { bssid } = await ownDevice(db, caller, params.bssid)
  const sent = await db
    .select()
    .from(deviceCommands)
    .where(eq(deviceCommands.bssid, bssid))
    .orderBy(desc(deviceCommands.created_at), desc(deviceCommands.id))
    .limit(query.limit)
  return sent.map(({ id, command, state, reason, created_at, ended_at }) => ({
    _id: id,
    type: command.type,
    values: valuesOf(command),
    state,
    reason,
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }))
})

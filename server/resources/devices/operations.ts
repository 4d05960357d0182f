/** What the commands on many devices do: the calls of the API and jobs run the same operations. */
import { eq } from 'drizzle-orm'
import type { resetScopes } from '../../../src/api/contract/devices.ts'
import { allSettings, type Setting, type SettingValues } from '../../../src/api/contract/settings.ts'
import type { SettingName } from '../../../src/api/contract/settingStates.ts'
import { omitUndefined } from '../../../src/domain/lib/omitUndefined.ts'
import { badRequest } from '../../core/errors.ts'
import type { Database } from '../../db/database.ts'
import { firmwareVersions } from '../../db/schema/models.ts'
import type { Change } from '../../devices/changes.ts'
import { initialColumns } from '../../devices/settings.ts'
import { settingCommand } from '../../protocol/settings.ts'
import { reversibleChange, type DeviceKind, type DeviceOperation } from './bulk.ts'

/** The values of a command: the body of its call without the ids, validated. */
export type OperationInput = Readonly<Record<string, unknown>>
type CreateOperation = (input: OperationInput, db: Database) => DeviceOperation | Promise<DeviceOperation>

/** The columns that a reset changes. It keeps the lock and the description, which the vendor has set. */
const resets: Record<(typeof resetScopes)[number], Change> = {
  settings: initialColumns,
  factory: { ...initialColumns, valve_closed: false },
}

export const valveOperation = (closed: boolean): DeviceOperation => ({
  command: { type: 'valve', closed },
  needs: 'valve',
})

/** Returns the platforms that have a firmware version. */
export async function platformsOf(db: Database, version: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ platform: firmwareVersions.platform })
    .from(firmwareVersions)
    .where(eq(firmwareVersions.version, version))
  return new Set(rows.map(({ platform }) => platform))
}

export const missingText = (version: string, { platform }: DeviceKind) =>
  `There is no firmware ${version} for ${platform}`

/** Returns the operation that updates devices to a version of these platforms, skipping devices that already run it. */
export const updateOperation = (version: string, platforms: ReadonlySet<string>): DeviceOperation => ({
  command: { type: 'update_firmware', version },
  blockedReason: target => {
    if (!platforms.has(target.platform)) return missingText(version, target)
    return target.firmware === version ? `Firmware ${version} is already installed` : undefined
  },
  // A device that has not reported its version yet has none to go back to.
  previousValues: ({ firmware }) => (firmware === '' ? undefined : { version: firmware }),
})

function settingOperation(name: SettingName, setting: Setting, input: OperationInput): DeviceOperation {
  const values = omitUndefined(input) as SettingValues
  if (Object.keys(values).length === 0) throw badRequest('At least one setting is required')
  const command = settingCommand(name, values)
  return { command, needs: setting.capability, ...reversibleChange(values, setting.columns) }
}

/** By the name of the command, as in `jobCommands`. The contract's schemas have validated the values. */
const operations: Readonly<Record<string, CreateOperation>> = {
  flush: () => ({ command: { type: 'flush' }, needs: 'flush' }),
  reboot: () => ({ command: { type: 'reboot' } }),
  lock: input => {
    const locked = input['locked'] as boolean
    return { command: { type: 'lock', locked }, needs: 'lock', ...reversibleChange({ locked }, { locked: 'locked' }) }
  },
  valve: input => {
    const valve_closed = input['valve_closed'] as boolean
    return { ...valveOperation(valve_closed), ...reversibleChange({ valve_closed }, { valve_closed: 'valve_closed' }) }
  },
  reset: input => {
    const scope = input['scope'] as keyof typeof resets
    return { command: { type: 'reset', scope }, change: resets[scope] }
  },
  update_firmware: async (input, db) => {
    const version = input['version'] as string
    return updateOperation(version, await platformsOf(db, version))
  },
  ...Object.fromEntries(
    allSettings.map(([name, setting]) => [
      `set_${name}`,
      (input: OperationInput) => settingOperation(name, setting, input),
    ]),
  ),
}

/** Returns the operation of a command of `jobCommands`. Throws a 400 if the values set nothing. */
export const operationOf = async (command: string, input: OperationInput, db: Database): Promise<DeviceOperation> =>
  operations[command]!(input, db)

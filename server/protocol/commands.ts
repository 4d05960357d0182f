/** Schemas of the commands that a device executes. */
import * as z from 'zod/mini'
import { resetScopes } from '../../src/api/contract/devices.ts'
import { settingCommands, type SettingCommand } from './settings.ts'

const OtherCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('flush') }),
  z.object({ type: z.literal('reboot') }),
  z.object({ type: z.literal('lock'), locked: z.boolean() }),
  z.object({ type: z.literal('valve'), closed: z.boolean() }),
  z.object({ type: z.literal('reset'), scope: z.enum(resetScopes) }),
  z.object({ type: z.literal('update_firmware'), version: z.string().check(z.minLength(1), z.maxLength(60)) }),
])

export const DeviceCommand: z.ZodMiniType<z.output<typeof OtherCommand> | SettingCommand> = z.union([
  OtherCommand,
  ...settingCommands,
])
export type DeviceCommand = z.output<typeof DeviceCommand>

/** What a device can be told to do. */
import * as z from 'zod/mini'
import { resetScopes } from '../../src/api/contract/devices.ts'
import { Bypass, FlushSettings, IdleProtection, Uv } from '../../src/api/contract/settings.ts'

export const DeviceCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('flush') }),
  z.object({ type: z.literal('reboot') }),
  z.object({ type: z.literal('lock'), locked: z.boolean() }),
  z.object({ type: z.literal('valve'), closed: z.boolean() }),
  z.object({ type: z.literal('reset'), scope: z.enum(resetScopes) }),
  z.object({ type: z.literal('set_flush'), settings: z.partial(FlushSettings) }),
  z.object({ type: z.literal('set_idle_protection'), duration: IdleProtection.shape.duration }),
  z.object({
    type: z.literal('set_bypass'),
    smart: z.optional(Bypass.shape.smart),
    state: z.optional(Bypass.shape.state),
  }),
  z.object({ type: z.literal('set_uv'), mode: Uv.shape.mode }),
  z.object({ type: z.literal('update_firmware'), version: z.string().check(z.minLength(1), z.maxLength(60)) }),
])
export type DeviceCommand = z.output<typeof DeviceCommand>

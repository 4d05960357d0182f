/** The schemas of a device's settings. A separate file, because the first screen needs nothing else of the settings. */
import * as z from 'zod/mini'
import {
  bypassStates,
  flushDurations,
  flushFrequencies,
  flushFrequencyNames,
  flushModes,
  idleProtectionDurations,
  smartBypassOptions,
  smartFlush,
  smartFlushNames,
  uvModes,
} from '../../domain/device.ts'
import { withMeta, number } from './fields.ts'

export const FlushSettings = z.object({
  smart: withMeta(z.nullable(z.enum(smartFlush)), {
    label: 'Smart flush',
    names: [...smartFlush.map(option => smartFlushNames[option]), 'Disabled'],
  }),
  mode: withMeta(z.literal([0, 1, 2]), { label: 'Mode', names: flushModes }),
  frequency: withMeta(z.literal(flushFrequencies), { label: 'Flush every', names: flushFrequencyNames }),
  duration: withMeta(z.literal(flushDurations), { label: 'Duration (s)', unit: 's' }),
  /** Litres. */
  volume: withMeta(number(0, 100), { label: 'Volume', quantity: 'volume' }),
})
export type FlushSettings = z.output<typeof FlushSettings>

export const idleMinutes = withMeta(z.literal(idleProtectionDurations), { label: 'Duration (min)', unit: 'min' })
export const Bypass = z.object({
  smart: withMeta(z.literal([0, 1, 2]), { label: 'Smart bypass', names: smartBypassOptions }),
  state: withMeta(z.literal([0, 1, 2, 3]), { label: 'Valve state', names: bypassStates }),
})
export const uvMode = withMeta(z.literal([0, 1]), { label: 'UV mode', names: uvModes })

/** The state of each setting: an object of its fields, or the value of its only field. */
export const settingStates = {
  flush: FlushSettings,
  /** Minutes. */
  idle_protection: z.number(),
  bypass: Bypass,
  uv: uvMode,
}
export type SettingName = keyof typeof settingStates

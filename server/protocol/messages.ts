/**
 * Schemas of the messages between devices and server, described in docs/device-protocol.md. Payloads are JSON in UTF-8.
 */
import * as z from 'zod/mini'
import { number, text, Time, integer } from '../../src/api/contract/fields.ts'
import { statusCodes } from '../../src/domain/device.ts'
import { maxRun } from '../../src/domain/health/observe.ts'
import { faults } from '../../src/domain/notifications/types.ts'
import { DeviceCommand } from './commands.ts'
import { settingReports } from './settings.ts'

/** Maximum bytes of a payload; a longer message is dropped without being parsed. */
export const maxMessageBytes = 64 * 1024
/** Maximum readings of a message; a device sends its buffered readings in several messages. */
export const maxReadings = 200

/**
 * Text that the database can store. A message that cannot be stored is never acknowledged, so it is sent repeatedly.
 */
const storableText = (maxLength: number) =>
  text(maxLength).check(z.refine(value => value.isWellFormed(), 'must be well-formed'))
/** The id of a command. */
const CommandId = z.string().check(z.regex(/^[\w-]{1,64}$/))

/** The value of a sensor; null if the sensor is missing or defective. */
const sensor = (min: number, max: number) => z._default(z.nullable(number(min, max)), null)

/** A reading of the sensors. Volumes are those since the device's previous reading, so a lost one causes no jump. */
export const Reading = z.object({
  at: Time,
  /** Litres. */
  feed: number(0, 100_000),
  permeate: number(0, 100_000),
  /** l/min at the time of the reading. */
  feed_flow: sensor(0, 1000),
  permeate_flow: sensor(0, 1000),
  /** ppm */
  feed_tds: sensor(0, 5000),
  permeate_tds: sensor(0, 1000),
  /** bar */
  pressure: sensor(0, 25),
  /** °C */
  temperature: sensor(0, 45),
  /** Seconds for which permeate has flowed without interruption, of a device that counts them. */
  run: z.optional(number(0, maxRun)),
})
export type Reading = z.output<typeof Reading>

/** A message with readings. */
export const Telemetry = z.object({ readings: z.array(Reading).check(z.minLength(1), z.maxLength(maxReadings)) })
export type Telemetry = z.output<typeof Telemetry>

/** The progress of a firmware update, during which the device reports status 6. */
export const UpdateProgress = z.object({
  version: storableText(60),
  phase: z.enum(['downloading', 'installing', 'failed']),
  /** 0–100. */
  progress: integer(0, 100),
})
export type UpdateProgress = z.output<typeof UpdateProgress>

/**
 * A device's report of its status and settings, complete or only what changed. It is sent on connecting and on every
 * change, before the acknowledgement of the command that made the change.
 */
export const State = z.object({
  at: Time,
  /** Only the broker sends 3 (offline), as the device's last will. */
  status: z.optional(z.literal(statusCodes)),
  faults: z.optional(z.array(z.enum(faults)).check(z.maxLength(faults.length))),
  locked: z.optional(z.boolean()),
  valve_closed: z.optional(z.boolean()),
  ...settingReports,
  firmware: z.optional(storableText(60)),
  update: z.optional(z.nullable(UpdateProgress)),
  power_mode: z.optional(z.literal([0, 1, 2])),
  /** %; null without batteries. */
  battery_level: z.optional(z.nullable(number(0, 100))),
  /** Seconds between two readings. */
  report_interval: z.optional(integer(1, 86_400)),
  /** Positions, from 0, of the cartridges that have just been replaced. */
  replaced_cartridges: z.optional(z.array(integer(0, 99)).check(z.maxLength(20))),
})
export type State = z.output<typeof State>

/** A device's last will. It has no time, because the device hands it to the broker when it connects. */
export const LastWill = z.object({ offline: z.literal(true) })
export type LastWill = z.output<typeof LastWill>
export const StateOrLastWill = z.union([LastWill, State])

/**
 * A command to a device. The device executes it once, even if the message arrives repeatedly, and not after
 * `expires_at`.
 */
export const Command = z.object({
  id: CommandId,
  expires_at: Time,
  command: DeviceCommand,
})
export type Command = z.output<typeof Command>

const maxReason = 200
/** Returns a device's reason as it can be stored: an acknowledgement counts whatever text a firmware sends with it. */
function storableReason(reason: string | null): string | undefined {
  const text = (reason ?? '').replaceAll('\0', '').trim()
  return (text.length > maxReason ? `${text.slice(0, maxReason - 1)}…` : text).toWellFormed() || undefined
}

/** A device's acknowledgement of a command. */
export const Ack = z.object({
  /** The id of the command. */
  id: CommandId,
  ok: z.boolean(),
  /** Why the command was refused, as a sentence for a person. */
  reason: z.optional(z.pipe(z.nullable(z.string()), z.transform(storableReason))),
})
export type Ack = z.output<typeof Ack>

/** The messages between devices and server, which docs/device-protocol.md describes. Payloads are JSON in UTF-8. */
import * as z from 'zod/mini'
import { number, text, Time, whole } from '../../src/api/contract/fields.ts'
import { statusCodes } from '../../src/domain/device.ts'
import { faults } from '../../src/domain/notifications/types.ts'
import { DeviceCommand } from './commands.ts'
import { settingReports } from './settings.ts'

/** Bytes; a longer message is dropped without being parsed. */
export const maxMessageBytes = 64 * 1024
/** Readings in a message; a device that was without a connection sends those that it kept in several messages. */
export const maxReadings = 200

/** Text that the database can store. A message that cannot be stored stays unacknowledged and is sent again for ever. */
const said = (most: number) => text(most).check(z.refine(given => given.isWellFormed(), 'must be well-formed'))
/** The key of a command. */
const CommandId = z.string().check(z.regex(/^[\w-]{1,64}$/))

/** The value of a sensor; null where it has none. */
const sensor = (least: number, most: number) => z._default(z.nullable(number(least, most)), null)

/** Eight values. Volumes count from the device's previous reading, so that a lost reading makes no jump. */
export const Reading = z.object({
  at: Time,
  /** Litres. */
  feed: number(0, 100_000),
  permeate: number(0, 100_000),
  /** l/min at the moment. */
  feed_flow: sensor(0, 1000),
  permeate_flow: sensor(0, 1000),
  /** ppm */
  feed_tds: sensor(0, 5000),
  permeate_tds: sensor(0, 1000),
  /** bar */
  pressure: sensor(0, 25),
  /** °C */
  temperature: sensor(0, 45),
})
export type Reading = z.output<typeof Reading>

export const Telemetry = z.object({ readings: z.array(Reading).check(z.minLength(1), z.maxLength(maxReadings)) })
export type Telemetry = z.output<typeof Telemetry>

/** The progress of a firmware update; the device reports status 6 meanwhile. */
export const UpdateProgress = z.object({
  version: said(60),
  phase: z.enum(['downloading', 'installing', 'failed']),
  /** 0–100. */
  progress: whole(0, 100),
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
  firmware: z.optional(said(60)),
  update: z.optional(z.nullable(UpdateProgress)),
  power_mode: z.optional(z.literal([0, 1, 2])),
  /** %; null without batteries. */
  battery_level: z.optional(z.nullable(number(0, 100))),
  /** Seconds between two readings. */
  report_interval: z.optional(whole(1, 86_400)),
  /** Positions, from 0, of the cartridges that were replaced just now. */
  replaced_cartridges: z.optional(z.array(whole(0, 99)).check(z.maxLength(20))),
})
export type State = z.output<typeof State>

/** The last will that a device leaves with the broker. It has no time, because the device writes it when it connects. */
export const LastWill = z.object({ offline: z.literal(true) })
export type LastWill = z.output<typeof LastWill>
export const StateOrLastWill = z.union([LastWill, State])

/** A message to a device, which carries it out once however often it arrives, and not after `expires_at`. */
export const Command = z.object({
  id: CommandId,
  expires_at: Time,
  command: DeviceCommand,
})
export type Command = z.output<typeof Command>

export const Ack = z.object({
  /** The id of the command. */
  id: CommandId,
  ok: z.boolean(),
  /** Why the command was not carried out, as a sentence for a person. */
  reason: z.optional(said(200)),
})
export type Ack = z.output<typeof Ack>

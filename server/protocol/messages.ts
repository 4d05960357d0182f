/** What devices and server say to each other, as docs/device-protocol.md has it. Payloads are JSON in UTF-8. */
import * as z from 'zod/mini'
import { number, text, Time, whole } from '../../src/api/contract/fields.ts'
import { statusCodes } from '../../src/domain/device.ts'
import { DeviceCommand } from './commands.ts'
import { settingReports } from './settings.ts'

/** Bytes; a longer message is dropped unread. */
export const maxMessageBytes = 64 * 1024
/** A device that was without a connection sends what it kept in messages of this many. */
export const maxReadings = 200

/** Text that the database can hold, whatever a device sends: what it cannot would come back for ever. */
const said = (most: number) => text(most).check(z.refine(given => given.isWellFormed(), 'must be well-formed'))
/** The key of a command. */
const CommandId = z.string().check(z.regex(/^[\w-]{1,64}$/))

/** What a sensor gives; null where it gives nothing. */
const sensor = (least: number, most: number) => z._default(z.nullable(number(least, most)), null)

/** Eight values. Volumes are those since the device's reading before this one, so that a lost one is no jump. */
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

/** What a device finds wrong with itself, besides its status: several may be at once. */
export const faults = [
  'leak',
  'pump_failure',
  'pressure_sensor',
  'inlet_flow_sensor',
  'outlet_flow_sensor',
  'inlet_temperature_sensor',
  'outlet_temperature_sensor',
  'inlet_tds_sensor',
  'outlet_tds_sensor',
  'no_feed_water',
] as const
export type Fault = (typeof faults)[number]

/** How an update of the firmware goes; the device reports status 6 meanwhile. */
export const UpdateProgress = z.object({
  version: said(60),
  phase: z.enum(['downloading', 'installing', 'failed']),
  /** 0–100. */
  progress: whole(0, 100),
})
export type UpdateProgress = z.output<typeof UpdateProgress>

/**
 * What a device is and how it is set: sent on connecting and whenever any of it changes, before the
 * acknowledgement of the command that changed it. All of it, or the part that changed.
 */
export const State = z.object({
  at: Time,
  /** 3 (offline) is sent by the broker only, as the device's last will. */
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
  /** Positions, from 0, of the cartridges that have been replaced just now. */
  replaced_cartridges: z.optional(z.array(whole(0, 99)).check(z.maxLength(20))),
})
export type State = z.output<typeof State>

/** The last will that a device leaves with the broker: it is gone. Without a time, as it is written long before. */
export const LastWill = z.object({ offline: z.literal(true) })
export type LastWill = z.output<typeof LastWill>
export const StateOrLastWill = z.union([LastWill, State])

/** To a device: done once however often it arrives, and not at all after `expires_at`. */
export const Command = z.object({
  id: CommandId,
  expires_at: Time,
  command: DeviceCommand,
})
export type Command = z.output<typeof Command>

export const Ack = z.object({
  /** The command's. */
  id: CommandId,
  ok: z.boolean(),
  /** Why not, in a sentence for a person. */
  reason: z.optional(said(200)),
})
export type Ack = z.output<typeof Ack>

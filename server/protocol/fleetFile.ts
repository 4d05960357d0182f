/**
 * A fleet as the simulator takes it: one device a line, JSON. It holds secrets: written for its owner's eyes only
 * (mode 0600).
 */
import * as z from 'zod/mini'
import { capabilities, statusCodes } from '../../src/domain/device.ts'
import { settingsInFile } from './settings.ts'

export const FleetDevice = z.object({
  bssid: z.string(),
  /** The password; user name and client id are the bssid's `wireName`. */
  secret: z.string(),
  platform: z.string(),
  capabilities: z.array(z.enum(capabilities)),
  firmware: z.string(),
  /** As the server knows it: a device of status 3 stays away, one with a failure keeps it. */
  status: z.literal(statusCodes),
  locked: z.boolean(),
  valve_closed: z.boolean(),
  ...settingsInFile,
  power_mode: z.literal([0, 1, 2]),
  battery_level: z.nullable(z.number()),
  /** Where it stands, an IANA name: its days are that zone's. */
  time_zone: z.optional(z.nullable(z.string())),
  /** Latest readings, which its water is like: ppm, bar, °C, %. */
  feed_tds: z.nullable(z.number()),
  pressure: z.nullable(z.number()),
  temperature: z.nullable(z.number()),
  recovery_rate: z.nullable(z.number()),
  rejection_rate: z.nullable(z.number()),
  /** Litres: counted in its life, and of permeate on an average day. */
  feed: z.optional(z.number()),
  permeate: z.optional(z.number()),
  litres_a_day: z.optional(z.number()),
  /** What is in it, by position. */
  cartridges: z.optional(
    z.array(
      z.object({
        /** 0 pre-filter, 1 post-filter, 2 membrane. */
        type: z.number(),
        /** Litres and days that it is good for. */
        resource: z.number(),
        ttl: z.number(),
        installed_at: z.string(),
        /** The device's litres of what it filters when it was installed. */
        volume_before: z.number(),
      }),
    ),
  ),
})
export type FleetDevice = z.output<typeof FleetDevice>

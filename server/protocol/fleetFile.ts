/**
 * Schema of the fleet file, which the simulator reads: JSON Lines with one device per line. It contains secrets, so
 * only its owner may read it (mode 0600).
 */
import * as z from 'zod/mini'
import { capabilities, statusCodes } from '../../src/domain/device.ts'
import { settingsInFile } from './settings.ts'

/** A line of the fleet file. */
export const FleetDevice = z.object({
  bssid: z.string(),
  /** The password; user name and client id are the BSSID's `wireName`. */
  secret: z.string(),
  platform: z.string(),
  capabilities: z.array(z.enum(capabilities)),
  firmware: z.string(),
  /** The stored status: the simulator leaves a device of status 3 offline, and keeps the failure of others. */
  status: z.literal(statusCodes),
  locked: z.boolean(),
  valve_closed: z.boolean(),
  ...settingsInFile,
  power_mode: z.literal([0, 1, 2]),
  battery_level: z.nullable(z.number()),
  /** IANA time zone of the device's location, which determines when water is drawn. */
  time_zone: z.optional(z.nullable(z.string())),
  /** Latest readings, from which the simulated feed water is derived: ppm, bar, °C, %. */
  feed_tds: z.nullable(z.number()),
  pressure: z.nullable(z.number()),
  temperature: z.nullable(z.number()),
  recovery_rate: z.nullable(z.number()),
  rejection_rate: z.nullable(z.number()),
  /** Name of the supply; devices of the same one have the same water. */
  water_supply: z.optional(z.nullable(z.string())),
  /** l/min that the bypass adds in each state of its valve, as its model says. */
  bypass_rates: z.optional(z.array(z.number()).check(z.length(4))),
  /** Pressure in bar that a pump adds; 0 without a pump. The simulator chooses if it is missing. */
  boost: z.optional(z.number()),
  /** Litres of a tank's air when empty; missing or 0 without a tank. */
  tank: z.optional(z.number()),
  /** Slow faults that the device has or will have, such as `fouling:0.3:90d` (docs/simulator.md), and when they began. */
  slow_faults: z.optional(z.array(z.object({ fault: z.string(), began: z.string() }))),
  /** Litres: the lifetime counters, and the permeate of an average day. */
  feed: z.optional(z.number()),
  permeate: z.optional(z.number()),
  litres_a_day: z.optional(z.number()),
  /** Cartridges in order of position. */
  cartridges: z.optional(
    z.array(
      z.object({
        /** 0 pre-filter, 1 post-filter, 2 membrane. */
        type: z.number(),
        /** Capacity in litres and time to live in days. */
        resource: z.number(),
        ttl: z.number(),
        installed_at: z.string(),
        /** The device's lifetime litres (feed of a pre-filter, otherwise permeate) when the cartridge was installed. */
        volume_before: z.number(),
      }),
    ),
  ),
})
export type FleetDevice = z.output<typeof FleetDevice>

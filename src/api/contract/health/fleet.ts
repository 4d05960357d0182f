/** The health of a fleet: how many devices are in each state, which moved most, changes of supplies, and how forecasts turned out. */
import * as z from 'zod/mini'
import { healthStates } from '../../../domain/columns/health.ts'
import { causes } from '../../../domain/health/types/assessment.ts'
import { Id, supplyPlace, Time, VendorName } from '../fields.ts'
import { AnalysedSupply } from './water.ts'

/** How forecasts of a kind of cartridge by litres or condition turned out; those by date are not judged. */
export const Coverage = z.object({
  /** 0 pre-filter, 1 post-filter, 2 membrane. */
  kind: z.number(),
  /** Forecasts with a known outcome, and those of them whose cartridge ended inside the interval. */
  outcomes: z.number(),
  inside: z.number(),
  /** Forecasts whose cartridge was replaced early: it would have lasted longer, so nothing is known of the outcome. */
  replaced_early: z.number(),
  /** Whether all intervals come from simulated fleets, because there are fewer than 20 own outcomes on the same basis. */
  typical: z.boolean(),
})
export type Coverage = z.output<typeof Coverage>

/** How many devices are in each state. */
const Counts = z.record(z.enum(healthStates), z.number())

export const groupings = ['cause', 'model', 'supply', 'vendor'] as const

/** How many devices are in each group, of each grouping that was asked for: those with the most to do first. */
const Groups = z.array(
  z.object({
    by: z.enum(groupings),
    key: z.string(),
    name: z.string(),
    counts: Counts,
    /** Only for a water supply: its analyses, of each vendor that uses the label and has entered one. */
    analyses: z.optional(z.array(AnalysedSupply)),
  }),
)

/** Days for which an open finding is among the newest. */
export const newestDays = 7

/** A device whose score is at least ten points lower or higher than it was a month ago. */
const Mover = z.object({
  bssid: z.string(),
  description: z.string(),
  vendor: VendorName,
  /** 0–100: now, and about 30 days before. */
  score: z.number(),
  before: z.number(),
  cause: z.nullable(z.enum(causes)),
})
export type Mover = z.output<typeof Mover>

export const Movers = z.object({ fell: z.array(Mover), rose: z.array(Mover) })
export type Movers = z.output<typeof Movers>

export const HealthSummary = z.object({
  counts: Counts,
  /** Devices with a cartridge that is due by the end of this day (UTC) in 30 days, also those that are overdue. */
  due: z.object({ day: z.string(), count: z.number() }),
  /** Learning devices whose health has yet to be computed from days that are stored already, of 1,000 at most. */
  pending: z.number(),
  groups: Groups,
})
export type HealthSummary = z.output<typeof HealthSummary>

/** Days after its end for which a change of a supply is shown. */
export const shownChangeDays = 30

/** A change of feed water or feed pressure that the devices of a supply share. */
export const SupplyChange = z.object({
  /** The same while the change goes on. */
  _id: z.string(),
  ...supplyPlace,
  cause: z.enum(['feed_water', 'feed_pressure']),
  began_at: Time,
  ended_at: z.nullable(Time),
  /** When it became a notification. */
  told_at: Time,
  /** The change in %, and the number of devices in whose median it was found. */
  change: z.number(),
  devices: z.number(),
  /** The devices that are on the supply now, at most 1,000; null where its label finds them, and only them. */
  bssids: z.nullable(z.array(z.string())),
})
export type SupplyChange = z.output<typeof SupplyChange>

/** Devices of a group of findings, at least, and their share of the devices on their supply. */
export const minGroupDevices = 5
export const minGroupShare = 0.2

/**
 * Open findings of one cause at devices of one water supply, each of them found at most a day after the one before: one
 * line in place of one for each device.
 */
export const FindingGroup = z.object({
  _id: Id,
  vendor: VendorName,
  /** The label of the supply; null for devices without one whose feed water is alike. */
  water_supply: z.nullable(z.string()),
  cause: z.enum(causes),
  /** When the first and the last of them were found. */
  found_from: Time,
  found_to: Time,
  /** Its devices, and all devices on the supply. */
  devices: z.number(),
  of: z.number(),
  /** Ids of its findings, and its devices: at most 1,000. */
  findings: z.array(Id),
  bssids: z.array(z.string()),
})
export type FindingGroup = z.output<typeof FindingGroup>

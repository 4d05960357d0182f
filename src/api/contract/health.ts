/** Health: what is wrong with devices, how sure that is, and when their cartridges are due (docs/health.md). */
import * as z from 'zod/mini'
import { healthStates } from '../../domain/columns/health.ts'
import { moverPoints } from '../../domain/health/history/scores.ts'
import { causes, channels } from '../../domain/health/types.ts'
import { messages } from '../../domain/messages.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { bulkEndpoint, endpoint, integerParam } from './endpoint.ts'
import { Finding } from './findings.ts'
import {
  BssidInput,
  bulkDeviceBody,
  ByBssidPath,
  commaList,
  Ids,
  ManyDevices,
  number,
  optionalText,
  Time,
  TimeInput,
  TimeZone,
  WaterSupply,
  withMeta,
  VendorName,
} from './fields.ts'

/** The analysis of a supply's water, as a waterworks publishes it or a test kit shows it. */
export const SupplyWater = z.strictObject({
  calcium_hardness: withMeta(number(0, 2000), {
    label: 'Calcium hardness',
    unit: 'mg/l CaCO₃',
    hint: '1 °dH is 17.8, 1 °fH is 10, 1 gpg is 17.1, 1 mg/l of calcium is 2.5',
  }),
  alkalinity: withMeta(number(0, 2000), {
    label: 'Alkalinity',
    unit: 'mg/l CaCO₃',
    hint: '1 mmol/l is 50, 1 mg/l of bicarbonate is 0.82',
  }),
  ph: withMeta(number(4, 11), { label: 'pH' }),
})

/** An analysis with who entered it, and when. */
const StoredWater = z.object({
  calcium_hardness: z.number(),
  alkalinity: z.number(),
  ph: z.number(),
  login: z.string(),
  updated_at: Time,
})

/** A supply with its analysis. Labels that differ only in case are the same supply of a vendor. */
const AnalysedSupply = z.object({
  vendor: VendorName,
  water_supply: z.string(),
  water: StoredWater,
})
export type AnalysedSupply = z.output<typeof AnalysedSupply>

/** What the water of a supply does in a device; its numbers are those of the last days. */
const Scaling = z.object({
  /** Share of the feed, °C, ppm of the feed. */
  recovery: z.number(),
  temperature: z.number(),
  tds: z.number(),
  /** Langelier indices; null above 10,000 ppm in the concentrate, for which there is none. */
  indices: z.nullable(z.object({ feed: z.number(), concentrate: z.number() })),
})
export type Scaling = z.output<typeof Scaling>

/** When a cartridge is due: 80 % of the actual ends lie between early and late. */
const Forecast = z.object({
  position: z.number(),
  due_at: Time,
  early_at: Time,
  late_at: Time,
  /** What ends it first. */
  basis: z.enum(['date', 'litres', 'condition']),
  /** Whether the interval comes from simulated fleets, because there are too few own outcomes. */
  typical: z.boolean(),
})
export type Forecast = z.output<typeof Forecast>

/** A value of each channel that has one. */
const ByChannel = z.partialRecord(z.enum(channels), z.number())

/** A local day, or a week that is older than 400 days. Values are changes against the baseline, as natural logarithms. */
const HealthPoint = z.object({
  at: Time,
  /** Days that it covers from `at` on: 1, or 7 for a week. */
  days: z.number(),
  values: ByChannel,
})

/** How forecasts of a kind of cartridge by litres or condition turned out; those by date are not judged. */
const Coverage = z.object({
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

/** A forecast of a cartridge that has ended since, with what became of it. */
const PastForecast = z.object({
  position: z.number(),
  kind: z.number(),
  made_at: Time,
  due_at: Time,
  early_at: Time,
  late_at: Time,
  basis: z.enum(['litres', 'condition']),
  ended_at: Time,
  /** Whether it was replaced while it would have lasted longer. */
  replaced_early: z.boolean(),
  /** Whether it ended in the interval; null if that is unknown. */
  inside: z.nullable(z.boolean()),
})
export type PastForecast = z.output<typeof PastForecast>

export const DeviceHealth = z.object({
  /** 0–100; null while it learns. */
  score: z.nullable(z.number()),
  state: z.enum(healthStates),
  /** What decides the score: a channel, `life` or `finding`. */
  worst: z.nullable(z.string()),
  /** Days with data while it learns. */
  learned: z.number(),
  /** Of each channel: the value when new, the trend's level and its standard deviation, as natural logarithms. */
  trends: z.partialRecord(
    z.enum(channels),
    z.object({ baseline: z.number(), level: z.number(), deviation: z.number() }),
  ),
  /** Of a device whose membrane was older when its first day came: that day. What was worn before is not known. */
  first_seen: z.nullable(Time),
  points: z.array(HealthPoint),
  /** Medians of the devices on the same supply, of five or more. */
  neighbours: z.array(HealthPoint),
  /** The changes from which a finding is made, as natural logarithms. */
  thresholds: ByChannel,
  /** When cartridges were replaced. */
  replacements: z.array(z.object({ at: Time, position: z.number() })),
  findings: z.array(Finding),
  forecasts: z.array(Forecast),
  /** How forecasts of its vendor's cartridges turned out, of the kinds that it has. */
  coverage: z.array(Coverage),
  /** Of its own cartridges that have ended in the last 400 days, newest first: at most 20. */
  past_forecasts: z.array(PastForecast),
  /** The analysis of its supply's water; null without one. */
  water: z.nullable(StoredWater),
  /** Null without an analysis, and until recovery, temperature and feed TDS are known. */
  scaling: z.nullable(Scaling),
})
export type DeviceHealth = z.output<typeof DeviceHealth>

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
    /** Of a water supply: its analyses, of each vendor that uses the label and has entered one. */
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

const Movers = z.object({ fell: z.array(Mover), rose: z.array(Mover) })
export type Movers = z.output<typeof Movers>

const HealthSummary = z.object({
  counts: Counts,
  /** Devices with a cartridge that is due by the end of this day (UTC) in 30 days, also those that are overdue. */
  due: z.object({ day: z.string(), count: z.number() }),
  groups: Groups,
})
export type HealthSummary = z.output<typeof HealthSummary>

/** A water supply; null for devices without a label, which have the same time zone and a similar feed TDS. */
const place = {
  vendor: VendorName,
  water_supply: z.nullable(z.string()),
}

/** A change of feed water or feed pressure that the devices of a supply share. */
const Incident = z.object({
  ...place,
  cause: z.enum(['feed_water', 'feed_pressure']),
  began_at: Time,
  ended_at: z.nullable(Time),
  /** The change in %, and the number of devices in whose median it was found. */
  change: z.number(),
  devices: z.number(),
  /** The devices of a supply without a label; empty for one with a label, by which they are found. */
  bssids: z.array(z.string()),
})
export type Incident = z.output<typeof Incident>

/** When a cartridge is due, in a plan. */
const DueCartridge = z.object({
  bssid: z.string(),
  position: z.number(),
  /** The model of the cartridge. */
  model: z.string(),
  due_at: Time,
  early_at: Time,
  late_at: Time,
})
/** A visit that replaces cartridges of one supply which are due in the same week. */
const PlannedVisit = z.object({
  ...place,
  /** The suggested start, at 09:00 on a working day, and end. */
  at: Time,
  until: Time,
  cartridges: z.array(DueCartridge),
  /** The number of its devices, at most as many as an event can have. */
  count: z.number(),
  /** A supply and week with more devices is divided into `parts` visits, of which this is number `part`, from 1. */
  part: z.number(),
  parts: z.number(),
})

const Plan = z.object({
  visits: z.array(PlannedVisit),
  /** Cartridges that are due in this time and in no visit, because at most 10,000 are read: those that are due first. */
  more: z.number(),
})
export type Plan = z.output<typeof Plan>

/** A device with the forecasts of its cartridges. */
const DueDevice = z.object({
  bssid: z.string(),
  ...place,
  cartridges: z.array(
    z.object({
      ...DueCartridge.shape,
      /** The start of an event of the device within a week of early–late; null if there is none. */
      planned_at: z.nullable(Time),
    }),
  ),
})
export type DueDevice = z.output<typeof DueDevice>

/** Days of each range; what is older than 400 days is shown by week. */
export const healthRanges = { month: 31, quarter: 92, year: 366, two_years: 731, five_years: 1827 } as const
/** Days for which a finding can be shelved. */
export const shelfDays = [1, 7, 30] as const

/** Days for which a reset of a baseline can be undone. */
export const baselineResetDays = 7

export const health = {
  ofDevice: endpoint({
    method: 'GET',
    path: '/api/v3/devices/{bssid}/health',
    roles: deviceRoles,
    summary: 'The health of a device: channels by day, findings and forecasts.',
    params: ByBssidPath,
    query: z.object({
      range: z._default(z.enum(Object.keys(healthRanges) as [keyof typeof healthRanges]), 'quarter'),
      zone: z._default(TimeZone, 'UTC'),
    }),
    response: DeviceHealth,
  }),
  summary: endpoint({
    method: 'GET',
    path: '/api/v3/health/summary',
    roles: deviceRoles,
    summary: 'How many devices are in which state of health, by cause, model, water supply or vendor.',
    /** Groupings, separated by commas; none for the totals alone. */
    query: z.object({ by: z._default(z.pipe(commaList, z.array(z.enum(groupings))), ['cause']) }),
    response: HealthSummary,
  }),
  coverage: endpoint({
    method: 'GET',
    path: '/api/v3/health/coverage',
    roles: deviceRoles,
    summary: 'How often cartridges ended inside the intervals of their forecasts, by kind of cartridge.',
    response: z.array(Coverage),
  }),
  newest: endpoint({
    method: 'GET',
    path: '/api/v3/health/findings/newest',
    roles: deviceRoles,
    summary: `Open findings of the last ${newestDays} days: those that need work first, then the surest.`,
    response: z.array(Finding),
  }),
  movers: endpoint({
    method: 'GET',
    path: '/api/v3/health/movers',
    roles: deviceRoles,
    summary: `Devices whose score has fallen or risen by ${moverPoints} points or more in 30 days, those that moved most first.`,
    response: Movers,
  }),
  incidents: endpoint({
    method: 'GET',
    path: '/api/v3/health/incidents',
    roles: deviceRoles,
    summary: 'Changes of feed water and feed pressure that devices of a supply share, newest first: at most 100.',
    response: z.array(Incident),
  }),
  plan: endpoint({
    method: 'GET',
    path: '/api/v3/health/plan',
    roles: deviceRoles,
    summary:
      'Suggested visits: cartridges that are due between two times at most 100 days apart, by supply and week. Overdue ones are replaced on the next working day.',
    query: z.object({ from: TimeInput, to: TimeInput, zone: z._default(TimeZone, 'UTC') }),
    response: Plan,
  }),
  planOfDevices: endpoint({
    method: 'GET',
    path: '/api/v3/health/plan/devices',
    roles: deviceRoles,
    summary: 'When the cartridges of at most 500 devices are due, and whether an event of that time exists.',
    query: z.object({ devices: z.pipe(commaList, z.array(BssidInput).check(z.minLength(1, messages.someDevices))) }),
    response: z.array(DueDevice),
  }),
  supplies: endpoint({
    method: 'GET',
    path: '/api/v3/health/supplies',
    roles: deviceRoles,
    summary: 'Water supplies with an analysis whose label contains a text, in alphabetical order.',
    query: z.object({ search: z._default(optionalText(100), ''), limit: z._default(integerParam(1, 1000), 100) }),
    response: z.array(AnalysedSupply),
  }),
  setWater: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/devices/water-supply/analysis',
    roles: deviceRoles,
    summary:
      'Set the water analysis of the supplies that devices are on, or null for none. It counts for all devices of these supplies.',
    body: bulkDeviceBody({
      water: z.nullable(SupplyWater),
      /** Only devices on this supply; for others the call fails. */
      water_supply: z.optional(WaterSupply),
    }),
  }),
  shelve: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/health/findings/shelve',
    roles: deviceRoles,
    summary: 'Shelve findings for 1, 7 or 30 days. One that grows by half is open again. 0 days opens them again.',
    body: z.strictObject({
      ids: Ids,
      days: withMeta(z.literal([0, ...shelfDays]), {
        label: 'For',
        names: ['Not any more', '1 day', '7 days', '30 days'],
      }),
      reason: withMeta(optionalText(200), { label: 'Reason' }),
    }),
  }),
  verdict: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/health/findings/verdict',
    roles: deviceRoles,
    summary:
      'Say what was found out about findings: their true cause, `found` if it is the one found, `none` if nothing was wrong, or null to take it back.',
    body: z.strictObject({ ids: Ids, verdict: z.nullable(z.enum(['none', 'found', ...causes])) }),
  }),
  resetBaseline: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/devices/health/baseline',
    roles: deviceRoles,
    summary: 'Begin the baselines of devices anew, as after cleaning. Their open findings end.',
    body: ManyDevices,
  }),
  restoreBaseline: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/devices/health/baseline/restore',
    roles: deviceRoles,
    summary: 'Undo the newest reset of the baselines of devices, within seven days. Their findings are open again.',
    body: ManyDevices,
  }),
}

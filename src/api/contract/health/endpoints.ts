/** Health: what is wrong with devices, how sure that is, and when their cartridges are due (docs/health.md). */
import * as z from 'zod/mini'
import { moverPoints } from '../../../domain/health/history/scores.ts'
import { causes } from '../../../domain/health/types/assessment.ts'
import { messages } from '../../../domain/messages.ts'
import { deviceRoles } from '../../../domain/roles.ts'
import { bulkEndpoint, endpoint, integerParam } from '../endpoint.ts'
import { Finding } from '../findings.ts'
import {
  BssidInput,
  bulkDeviceBody,
  ByBssidPath,
  commaList,
  Ids,
  ManyDevices,
  optionalText,
  TimeInput,
  TimeZone,
  WaterSupply,
  withMeta,
} from '../fields.ts'
import { DeviceHealth } from './device.ts'
import { Coverage, FindingGroup, HealthSummary, SupplyChange, Movers, groupings, newestDays } from './fleet.ts'
import { DueDevice, Plan } from './plan.ts'
import { AnalysedSupply, SupplyWater } from './water.ts'

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
    summary:
      'The health of a device: channels by day, findings and forecasts. Values of points, their errors, trends and thresholds are ' +
      'natural logarithms of the change since new: 100 · exp(value) is % of new, and value ± 2 errors the band.',
    params: ByBssidPath,
    query: z.object({
      range: z._default(z.enum(Object.keys(healthRanges) as [keyof typeof healthRanges]), 'quarter'),
      /** The end of the range; now by default, and at the latest. */
      until: z.optional(TimeInput),
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
  notified: endpoint({
    method: 'GET',
    path: '/api/v3/health/findings/notified',
    roles: deviceRoles,
    summary: 'Open findings that people have been notified of, the newest notified first: at most 200.',
    query: z.object({
      /** Only the findings of these devices; absent: of all. */
      devices: z.optional(z.pipe(commaList, z.array(BssidInput))),
    }),
    response: z.array(Finding),
  }),
  findingGroups: endpoint({
    method: 'GET',
    path: '/api/v3/health/findings/groups',
    roles: deviceRoles,
    summary:
      'Open findings of one cause at five devices or more of a water supply, and a fifth of its devices: at most 100 groups, newest first.',
    response: z.array(FindingGroup),
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
    summary:
      'Changes of feed water and feed pressure that devices of a supply share and that go on or have ended in the last 30 days: at most 100, lasting ones first.',
    response: z.array(SupplyChange),
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
    summary: 'Shelve findings for 1, 7 or 30 days. A finding that grows by half reopens. 0 days reopens it at once.',
    body: z.strictObject({
      ids: Ids,
      days: withMeta(z.literal([0, ...shelfDays]), {
        label: 'For',
        names: ['Unshelve', '1 day', '7 days', '30 days'],
      }),
      reason: withMeta(optionalText(200), { label: 'Reason' }),
    }),
  }),
  verdict: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/health/findings/verdict',
    roles: deviceRoles,
    summary:
      'Set the verdict on findings: the true cause, `found` if it is the one found, `none` if nothing was wrong, or null to remove it.',
    body: z.strictObject({ ids: Ids, verdict: z.nullable(z.enum(['none', 'found', ...causes])) }),
  }),
  resetBaseline: bulkEndpoint({
    method: 'PUT',
    path: '/api/v3/devices/health/baseline',
    roles: deviceRoles,
    summary: 'Reset the baselines of devices, for example after cleaning. Their open findings end, except leaks.',
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

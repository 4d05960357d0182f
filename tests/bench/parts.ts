/** The parts of the bench by name, in the order in which they run. */
import type { LongPart, Part } from './bench.ts'
import { measureBulk } from './console/bulk.ts'
import { measureCalendar } from './console/calendar.ts'
import { measureCharts } from './console/charts.ts'
import { measureCold, measureWarm } from './console/cold.ts'
import { measureLive } from './console/live.ts'
import { measureNotifications } from './console/notifications.ts'
import { measurePages } from './console/pages.ts'
import { measurePalette } from './console/palette.ts'
import { measureTable } from './console/table.ts'
import { brokersPart } from './devices/brokers.ts'
import { readingCostPart } from './devices/readingCost.ts'
import { healthIngestPart } from './devices/healthIngest.ts'
import { telemetryCostPart } from './devices/telemetryCost.ts'
import { healthStepPart } from './devices/healthStep.ts'
import { connectionsPart } from './connections.ts'
import { measureIdle } from './idle.ts'
import { measureJobs } from './jobs.ts'
import { killParts } from './jobs/kills.ts'
import { measureLarge } from './jobs/large.ts'
import { memoryPart } from './jobs/memory.ts'
import { measureOffline } from './jobs/offline.ts'
import { listCostPart } from './lists/listCost.ts'
import { measureLists, measureListsBesideReadings, measureMillion } from './lists/lists.ts'
import { measurePeople } from './people.ts'
import { cleanStartPart } from './startClean.ts'
import { trustParts } from './trust/trust.ts'
import { roleKillsPart } from './roleKills.ts'
import { scalePart } from './devices/scale.ts'
import { measureYear } from './year.ts'

/** The parts that run unless others are named. */
const usual: Readonly<Record<string, Part>> = {
  cold: measureCold,
  warm: measureWarm,
  table: measureTable,
  live: measureLive,
  pages: measurePages,
  palette: measurePalette,
  charts: measureCharts,
  calendar: measureCalendar,
  notifications: measureNotifications,
  lists: measureLists,
  'lists:readings': measureListsBesideReadings,
  year: measureYear,
  people: measurePeople,
  bulk: measureBulk,
  jobs: measureJobs,
  'jobs:large': measureLarge,
  'jobs:offline': measureOffline,
  idle: measureIdle,
}
const all: Readonly<Record<string, Part | LongPart>> = {
  ...usual,
  ...killParts,
  'jobs:memory': memoryPart,
  connections: connectionsPart,
  brokers: brokersPart,
  listcost: listCostPart,
  readings: readingCostPart,
  telemetry: telemetryCostPart,
  health: healthStepPart,
  'health:ingest': healthIngestPart,
  million: measureMillion,
  'roles:kills': roleKillsPart,
  scale: scalePart,
  'start:clean': cleanStartPart,
  ...trustParts,
}

/**
 * Returns the parts of these names, or the usual ones without any. A name stands for its subordinate parts as well: `trust`
 * for `trust:kills`. @throws for a name without a part
 */
export function partsOf(names: readonly string[]): readonly (readonly [name: string, part: Part | LongPart])[] {
  const isOf = (part: string, name: string) => part === name || part.startsWith(`${name}:`)
  const unknown = names.filter(name => !Object.keys(all).some(part => isOf(part, name)))
  if (unknown.length > 0)
    throw new Error(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(all).join(', ')}.`)
  return Object.entries(names.length === 0 ? usual : all).filter(
    ([part]) => names.length === 0 || names.some(name => isOf(part, name)),
  )
}

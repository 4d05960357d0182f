/** The command that plans the next replacement of devices: an event for each supply and week. */
import * as z from 'zod/mini'
import { maxPerCall } from '../../api/contract/endpoint.ts'
import { events } from '../../api/contract/events.ts'
import { readDueDevices } from '../../api/health/plan.ts'
import { todayIn } from '../../domain/calendar/days.ts'
import { momentText } from '../../domain/calendar/texts.ts'
import { nextVisits, type ChosenCartridges, type Visit, type VisitPlan } from '../../domain/calendar/visits.ts'
import { cartridgesText, visitSize, weekNumber } from '../../domain/calendar/visitTexts.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { readDevices } from '../selection/selectList.ts'
import { deviceRecordCommand } from '../devices/shared.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { inGroups } from '../core/execution/chunks.ts'
import { someDevices, someFindings } from '../core/targetNeeds.ts'
import type { Invocation } from '../core/runs/outcome.ts'
import type { BulkOperation, OwnOperation, PlanGroup } from '../core/types.ts'
import { doneMessage } from '../core/wording.ts'
import { devicesOfEntry } from '../overview/devices.ts'
import { focusedEntry } from '../overview/needs.ts'
import { cartridgesToReplace } from '../findings/cartridgesToReplace.ts'
import { devicesOf, visitEvent } from './suggestions.ts'

/** Reads what is due for devices and returns their next visits, with times in the browser's time zone. */
async function planFor(
  ids: readonly string[],
  chosen: ChosenCartridges,
  how: Parameters<OwnOperation['plan']>[1],
): Promise<VisitPlan> {
  const planning = { zone: systemTimeZone(), now: Date.now(), maxDevices: maxPerCall }
  return nextVisits(ids, await readDueDevices(ids, how), planning, chosen)
}

/** Returns a visit as a line of a preview, with the cartridges that each device gets. */
function groupOf(visit: Visit): PlanGroup {
  const zone = systemTimeZone()
  const start = Date.parse(visit.at)
  return {
    name: momentText(zone, start),
    note: `Week ${weekNumber(todayIn(zone, start))}`,
    detail: `${visit.water_supply ?? 'No water supply'} · ${visit.vendor.company_name}`,
    size: visitSize(visit),
    members: [...Map.groupBy(visit.cartridges, ({ bssid }) => bssid)].map(([id, cartridges]) => ({
      id,
      detail: cartridgesText(cartridges),
    })),
  }
}

/** Creates an event for each visit. */
const replacementsOf = (chosen: ChosenCartridges = {}): OwnOperation => ({
  async plan(ids, how) {
    const { visits, skipped } = await planFor(ids, chosen, how)
    return { affected: visits.flatMap(devicesOf), skipped, groups: visits.map(groupOf) }
  },
  async carryOut(ids, { call, progress, onEnded }) {
    const { visits, skipped } = await planFor(ids, chosen, { call, signal: progress.signal })
    onEnded?.([], skipped)
    const outcome = await inGroups(
      visits.map(visit => ({ visit, ids: devicesOf(visit) })),
      progress,
      async group => {
        const body = visitEvent(group.visit)
        const { _id: event } = await call(events.create, { body })
        const { devices: _, ...values } = body
        return {
          count: group.ids.length,
          total: group.ids.length,
          failed: [],
          before: [{ ids: group.ids, values: { ...values, event } }],
        }
      },
      onEnded,
    )
    return { ...outcome, failed: [...outcome.failed, ...skipped] }
  },
})

/** An event that stands or stood for a visit, without its devices. */
const { title, description, start, end } = events.create.body.shape
const visitFields = { title, description, start, end }
export type VisitFields = z.output<z.ZodMiniObject<typeof visitFields>>

/** Returns the command that deletes the event of a visit, or creates it again if it has been deleted. */
export const inverseOfVisit = (values: Readonly<Record<string, unknown>>): Invocation => ({
  id: 'event' in values ? 'calendar.removeVisit' : 'calendar.restoreVisit',
  input: values,
})

/** Shared by the commands that undo and redo. */
const ofVisit = {
  entity: 'devices',
  group: 'control',
  recordable: false,
  keysOnly: true,
  needs: someDevices,
  undo: inverseOfVisit,
} as const

const presentation = {
  title: 'Plan replacement',
  group: 'control',
  icon: 'cartridge',
  keys: 's r',
  keywords: [
    'cartridge',
    'filter',
    'change',
    'due',
    'visit',
    'schedule',
    'calendar',
    'event',
    'maintenance',
    'service',
  ],
} as const
/** Shared by the commands that plan for what another screen shows. */
const forwarding = { ...presentation, roles: deviceRoles, delegates: true, recordable: false } as const

/** Shared by the commands that create visits. */
const planning = {
  ...deviceRecordCommand,
  effect: 'be visited',
  endpoint: events.create,
  undo: inverseOfVisit,
  progressTitle: 'Planning',
  done: doneMessage('Planned the replacement for', 'devices'),
} as const

export const planReplacementCommands = [
  defineCommand({
    ...planning,
    ...presentation,
    id: 'device.planReplacement',
    on: ['control', 'row', 'health'],
    operation: (): BulkOperation => ({ own: replacementsOf() }),
  }),
  defineCommand({
    ...planning,
    id: 'device.replaceCartridges',
    title: presentation.title,
    group: 'control',
    recordable: false,
    keysOnly: true,
    args: z.object({ chosen: z.record(z.string(), z.array(z.number())) }),
    operation: ({ chosen }): BulkOperation => ({ own: replacementsOf(chosen) }),
  }),
  defineCommand({
    ...forwarding,
    id: 'finding.planReplacement',
    entity: 'findings',
    on: ['control', 'row'],
    needs: someFindings,
    async run(findings, _, { progress, runCommand }) {
      const rows = findings.map(({ row }) => row)
      const targets = await readDevices([...new Set(rows.map(({ bssid }) => bssid))], progress)
      await runCommand('device.replaceCartridges', { chosen: cartridgesToReplace(rows) }, targets)
    },
  }),
  defineCommand({
    ...forwarding,
    id: 'overview.planReplacement',
    title: 'Plan replacement for devices of entry',
    screen: 'overview',
    on: ['status'],
    short: 'plan',
    needs: focusedEntry,
    async run(entry, _, { progress, runCommand }) {
      await runCommand('device.planReplacement', {}, await devicesOfEntry(entry, progress))
    },
  }),
  defineCommand({
    ...ofVisit,
    id: 'calendar.removeVisit',
    title: 'Remove planned visit',
    endpoint: events.delete,
    args: z.object({ ...visitFields, event: z.string() }),
    async run(devices, { event, ...values }, { call }) {
      await call(events.delete, { params: { id: event } })
      const ids = devices.map(({ id }) => id)
      return { done: ids, failed: [], before: [{ ids, values }] }
    },
  }),
  defineCommand({
    ...ofVisit,
    id: 'calendar.restoreVisit',
    title: 'Restore planned visit',
    endpoint: events.create,
    args: z.object(visitFields),
    async run(devices, values, { call }) {
      const ids = devices.map(({ id }) => id)
      const { _id: event } = await call(events.create, { body: { ...values, devices: ids } })
      return { done: ids, failed: [], before: [{ ids, values: { ...values, event } }] }
    },
  }),
]

/** Exports the outcomes of a job. */
import type { ExportRow, ExportTable, ExportType } from '../../domain/exportTable.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { nounsOf } from '../../domain/lists/lists.ts'
import { isoIn } from '../../domain/zone.ts'
import { findCommand } from '../core/registry.ts'
import type { Services } from '../core/types.ts'
import { inputText } from './inputText.ts'
import { outcomeCounts, outcomeKinds, outcomeName, outcomesOf, stateLabel, type TargetOutcome } from './outcomes.ts'
import type { Job } from '../core/runs/jobs.ts'
import { countOf } from '../core/wording.ts'
import { saveTable } from '../export/saveTable.ts'
import { formatNumber } from '../../domain/format.ts'

const slice = 500

/** Saves the file, and returns a message with its name. */
export async function exportJob(job: Job, type: ExportType, { progress, save }: Services): Promise<string> {
  const zone = systemTimeZone()
  const what = jobFileName(job.title, job.startedAt, zone)
  const name = await saveTable(jobTable(job, zone, Date.now()), what, type, { progress, save })
  return `Exported ${countOf(job.total, job.entity)} as ${name}`
}

/** Returns the part of a file's name that is about a job: its title, and when it started. */
export function jobFileName(title: string, startedAt: number, zone: string): string {
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return `job-${slug}-${isoIn(zone, startedAt).slice(0, 19).replaceAll(':', '-')}`
}

/** Returns a table of all targets, regardless of the filter on screen. A running job is exported as it is now. */
export function jobTable(job: Job, zone: string, now: number): ExportTable {
  const { entity, state, startedAt, endedAt } = job
  const [noun] = nounsOf(entity)
  const counts = outcomeCounts(job)
  const outcomes = outcomesOf(job, 'all')
  const rowOf = ({ item, kind, reason }: TargetOutcome): ExportRow => [
    item.id,
    // Devices have no name besides their id, so their company is shown.
    'company' in item ? item.company : item.name,
    outcomeName(kind, state),
    reason ?? null,
  ]
  async function* pages() {
    for (let at = 0; at < outcomes.length; at += slice) yield outcomes.slice(at, at + slice).map(rowOf)
  }
  const command = findCommand(job.command)
  const words = command ? inputText(command, job.detail.input) : []
  return {
    title: `${job.title}: ${countOf(job.total, entity)}`,
    zone,
    columns: [
      { key: 'id', name: entity === 'devices' ? 'Device' : `Id of the ${noun}` },
      entity === 'devices' ? { key: 'company', name: 'Company' } : { key: 'name', name: 'Name' },
      { key: 'outcome', name: 'Outcome' },
      { key: 'reason', name: 'Reason' },
    ],
    pages: pages(),
    notes: () => [
      `Exported ${isoIn(zone, now)}, times in ${zone}`,
      `${stateLabel(job)}: ${outcomeKinds
        .filter(kind => counts[kind] > 0)
        .map(kind => `${formatNumber(counts[kind])} ${outcomeName(kind, state).toLowerCase()}`)
        .join(', ')}`,
      ...words.map(({ label, value }) => `${label}: ${value}`),
      `Started ${isoIn(zone, startedAt)}`,
      ...(endedAt === undefined ? [] : [`Ended ${isoIn(zone, endedAt)}`]),
    ],
  }
}

/** Exports the tasks of a job of the server. */
import { allTasks } from '../../api/jobs/jobs.ts'
import type { Job, Task } from '../../api/contract/jobs.ts'
import { taskStateNames } from '../../domain/columns/jobs.ts'
import type { ExportRow, ExportTable, ExportType } from '../../domain/exportTable.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { isoIn } from '../../domain/zone.ts'
import type { Progress } from '../../api/readMatches.ts'
import type { Services } from '../core/types.ts'
import { countOf } from '../core/wording.ts'
import { saveTable } from '../export/saveTable.ts'
import { jobFileName } from './exportJob.ts'
import { inputText } from './inputText.ts'
import { titleOf } from './serverActions.ts'
import { commandOfJob } from './serverCommands.ts'
import { countsText, markOf, policyWords } from './serverJobs.ts'

/** Saves the file, and returns a message with its name. */
export async function exportServerJob(job: Job, type: ExportType, { progress, save }: Services): Promise<string> {
  const zone = systemTimeZone()
  const what = jobFileName(titleOf(job), Date.parse(job.created_at), zone)
  const name = await saveTable(serverJobTable(job, zone, Date.now(), progress), what, type, { progress, save })
  return `Exported ${countOf(job.total, 'devices')} as ${name}`
}

/** Returns a table of all tasks, regardless of the filter on screen. A running job is exported as it is now. */
export function serverJobTable(job: Job, zone: string, now: number, progress: Progress): ExportTable {
  const timeOf = (at: string | null) => (at === null ? null : isoIn(zone, Date.parse(at)))
  const rowOf = ({ bssid, state, reason, wave, attempts, sent_at, ended_at }: Task): ExportRow => [
    bssid,
    taskStateNames[state],
    reason,
    wave,
    attempts,
    timeOf(sent_at),
    timeOf(ended_at),
  ]
  async function* pages() {
    for await (const tasks of allTasks(job._id, progress)) yield tasks.map(rowOf)
  }
  const command = commandOfJob(job)
  const words = command && job.kind !== 'undo' ? inputText(command, job.input) : []
  const title = titleOf(job)
  return {
    title: `${title}: ${countOf(job.total, 'devices')}`,
    zone,
    columns: [
      { key: 'id', name: 'Device' },
      { key: 'outcome', name: 'Outcome' },
      { key: 'reason', name: 'Reason' },
      { key: 'wave', name: 'Wave' },
      { key: 'attempts', name: 'Attempts' },
      { key: 'sent', name: 'Sent', times: true },
      { key: 'ended', name: 'Ended', times: true },
    ],
    pages: pages(),
    notes: () => [
      `Exported ${isoIn(zone, now)}, times in ${zone}`,
      `${markOf(job, false).label}: ${countsText(job)}`,
      ...words.map(({ label, value }) => `${label}: ${value}`),
      ...policyWords(job.policy).map(text => `Policy: ${text}`),
      `Created ${isoIn(zone, Date.parse(job.created_at))} by ${job.login}`,
      ...(job.ended_at === null ? [] : [`Ended ${isoIn(zone, Date.parse(job.ended_at))}`]),
    ],
  }
}

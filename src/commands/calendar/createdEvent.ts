/** The creation of an event as a run that can be undone. Loaded once an event has been created. */
import type { AnyItem } from '../../store/selection.ts'
import { beginJob, endJob } from '../core/runs/jobRuns.ts'
import type { Services } from '../core/types.ts'
import { inverseOfVisit, type VisitFields } from './planReplacement.ts'

/** Records that an event was created for these devices. Returns the id of the job that undo acts on. */
export function recordCreated(
  event: VisitFields & { readonly event: string },
  devices: readonly AnyItem[],
  message: string,
  { runCommand }: Services,
): string {
  const { event: _, ...input } = event
  const job = beginJob({
    command: 'calendar.restoreVisit',
    title: 'Create event',
    entity: 'devices',
    targets: devices,
    input,
    skipped: [],
    again: items => runCommand('calendar.restoreVisit', input, items),
    inverse: inverseOfVisit,
  })
  const done = devices.map(({ id }) => id)
  const before = [{ ids: done, values: { ...event } }]
  endJob(job, { outcome: { done, failed: [] }, before, message })
  return job.id
}

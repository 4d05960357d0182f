/** Undoes and redoes the latest move of a scheduled job to another time, which is no run on rows. */
import { jobs as contract } from '../../api/contract/jobs.ts'
import { momentText } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { jobs, type JobMove } from '../core/runs/jobs.ts'
import type { Services } from '../core/types.ts'
import { reschedule } from './rescheduleCommand.ts'

/** Returns the latest move, unless it is undone or a command ran after it. `latestRun`: epoch milliseconds. */
export const lastMove = (latestRun: number | undefined): JobMove | undefined => moveAfter(latestRun, false)

/** Returns the latest move if it is undone and no command ran since. */
export const lastMoveBack = (latestRun: number | undefined): JobMove | undefined => moveAfter(latestRun, true)

function moveAfter(latestRun = 0, isUndone: boolean): JobMove | undefined {
  const { moved } = jobs
  return moved && moved.isUndone === isUndone && moved.at > latestRun ? moved : undefined
}

/** Moves the job back to where it was, or there again. Returns what to say about it. */
export async function moveBack({ job: id, title, from, to, isUndone }: JobMove, services: Services): Promise<string> {
  const start = isUndone ? to : from
  if (typeof start === 'string' && Date.parse(start) <= Date.now())
    // The server would start it at once.
    throw new Error(`${momentText(systemTimeZone(), Date.parse(start))} has passed. “${title}” keeps its time`)
  const job = await services.call(contract.detail, { params: { id } })
  const message = await reschedule(job, start, services)
  jobs.moved = { job: id, title, from, to, at: Date.now(), isUndone: !isUndone }
  return message
}

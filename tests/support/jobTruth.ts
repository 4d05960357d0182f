/** Compares what the server says of a job with what the simulated devices say that they did. */
import type { Job, Task } from '../../src/api/contract/jobs.ts'
import { openStates, type TaskState } from '../../src/domain/columns/jobs.ts'
import type { CommandEvent, DeviceEvent } from '../../simulator/deviceLog.ts'

/** What is compared of a task. */
export type TaskOutcome = Pick<Task, 'bssid' | 'state'>

/** The states of tasks whose devices may have executed the command. */
const mayHaveDone: readonly TaskState[] = ['done', 'unanswered']

/**
 * Returns what is wrong with an ended job, a sentence each: nothing if each device did at most one command, and exactly what
 * its task says. `events`: all of the devices' log since the job was created, in which they got commands of this job only.
 */
export function contradictions(
  { state, counts, total }: Pick<Job, 'state' | 'counts' | 'total'>,
  tasks: readonly TaskOutcome[],
  events: readonly DeviceEvent[],
): string[] {
  const wrong: string[] = []
  if (state !== 'ended') wrong.push(`The job is ${state}`)
  const sum = Object.values(counts).reduce((before, count) => before + count, 0)
  if (sum !== total) wrong.push(`The counts add up to ${sum} of ${total}`)
  for (const [name, count] of Object.entries(counts)) {
    const found = tasks.filter(task => task.state === name).length
    if (found !== count) wrong.push(`The job counts ${count} tasks that are ${name}, and there are ${found}`)
  }
  const states = new Map(tasks.map(task => [task.bssid, task.state]))
  if (states.size !== total || tasks.length !== total)
    wrong.push(`There are ${tasks.length} tasks of ${states.size} devices`)

  const commands = events.filter((event): event is CommandEvent => 'id' in event)
  const byDevice = Map.groupBy(commands, ({ bssid }) => bssid)
  for (const [bssid, taskState] of states) {
    const all = byDevice.get(bssid) ?? []
    const times = (did: CommandEvent['did']) => all.filter(event => event.did === did).length
    const [executed, refused] = [times('executed'), times('refused')]
    const ids = new Set(all.map(({ id }) => id)).size
    if (openStates.includes(taskState)) wrong.push(`${bssid} has not ended: ${taskState}`)
    if (executed > 1) wrong.push(`${bssid} did it ${executed} times`)
    if (ids > 1) wrong.push(`${bssid} got ${ids} ids`)
    if (executed > 0 && !mayHaveDone.includes(taskState)) wrong.push(`${bssid} did it and is ${taskState}`)
    if (executed === 0 && taskState === 'done') wrong.push(`${bssid} did not do it and is done`)
    if (refused === 0 && taskState === 'refused') wrong.push(`${bssid} did not refuse it and is refused`)
  }
  for (const bssid of byDevice.keys()) if (!states.has(bssid)) wrong.push(`${bssid} is not in the job`)
  return wrong
}

/** The console's commands for the commands of the server's jobs. */
import type { Job } from '../../api/contract/jobs.ts'
import { allSettings } from '../../api/contract/settings.ts'
import { findCommand } from '../core/registry.ts'
import type { Command } from '../core/types.ts'

type Called = Pick<Job, 'command' | 'input'>

const settingIds = Object.fromEntries(allSettings.map(([name, { command }]) => [`set_${name}`, command]))
const ids: Readonly<Record<string, (input: Job['input']) => string>> = {
  flush: () => 'device.flush',
  reboot: () => 'device.reboot',
  lock: ({ locked }) => (locked === false ? 'device.unlock' : 'device.lock'),
  valve: () => 'device.valve',
  reset: ({ scope }) => (scope === 'factory' ? 'device.resetFactory' : 'device.resetSettings'),
  update_firmware: () => 'device.updateFirmware',
  set_model: () => 'device.model',
  set_filtration_system: () => 'device.filtrationSystem',
  set_time_zone: () => 'device.timeZone',
  set_water_supply: () => 'device.waterSupply',
  delete: () => 'device.delete',
}

/** Returns the command of the registry that a job of the server runs; undefined if this console does not know it. */
export function commandOfJob({ command, input }: Called): Command | undefined {
  const id = ids[command]?.(input) ?? settingIds[command]
  return id === undefined ? undefined : findCommand(id)
}

/** Returns the title of that command, such as `Lock`. */
export const commandTitle = (called: Called): string =>
  commandOfJob(called)?.title ?? called.command.replaceAll('_', ' ')

/** Finds the job that another one retries or undoes. */
type FindParent = (id: string) => Job | undefined

/** Returns how many undos a job and those it comes from are: 0 for the command itself, odd for an undo, even for a redo. */
export function undoCount({ kind, parent }: Pick<Job, 'kind' | 'parent'>, parentOf: FindParent): number {
  const found = parent === null ? undefined : parentOf(parent)
  return (kind === 'undo' ? 1 : 0) + (found ? undoCount(found, parentOf) : 0)
}

/** Returns the title of a job: `Lock`, or for an undo `Undo “Lock”`. A retry has the title of its parent. */
export function jobTitle(job: Called & Pick<Job, 'kind' | 'parent'>, parentOf: FindParent): string {
  const title = commandTitle(job)
  const retried = job.kind === 'retry' && job.parent !== null ? parentOf(job.parent) : undefined
  if (retried) return jobTitle(retried, parentOf)
  if (job.kind !== 'undo') return title
  return `${undoCount(job, parentOf) % 2 === 1 ? 'Undo' : 'Redo'} “${title}”`
}

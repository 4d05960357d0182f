/** Commands for devices, which become jobs of the server. */
import * as z from 'zod/mini'
import { JobPreview, jobs } from '../src/api/contract/jobs.ts'
import { generalOptions, ownOptions, type Arguments } from './arguments.ts'
import type { DeviceCommand } from './catalogue.ts'
import type { Client } from './client.ts'
import { deletes, requireYes } from './deletions.ts'
import type { ExitCodeName } from './failure.ts'
import { previewLines } from './jobTexts.ts'
import { checked, optionsOf, type Option } from './options.ts'
import { policyOptionsOf } from './policyOptions.ts'
import { showData, type Presentation } from './present.ts'
import { printableJson } from './printable.ts'
import { targetOf, targetOptions } from './targets.ts'
import { watchJob } from './watch.ts'

export interface DeviceCommandOptions {
  /** The values of the command. */
  readonly input: readonly Option[]
  readonly policy: readonly Option[]
  /** What else a job has, such as until when it takes new devices. */
  readonly job: readonly Option[]
  readonly target: ReturnType<typeof targetOptions>
  readonly all: readonly Option[]
}

/** The fields of a job that have options of their own. */
const otherFields = ['command', 'input', 'ids', 'search', 'policy']
const jobOptions = optionsOf(jobs.create.body).filter(({ field }) => !otherFields.includes(field))

/** Returns the options of a command. Where names are the same, the command's own come before those of the devices' columns. */
export function deviceCommandOptions({ command, endpoint }: DeviceCommand): DeviceCommandOptions {
  const input = optionsOf(endpoint.body).filter(({ field }) => field !== 'ids')
  const job = jobOptions.filter(({ name }) => !input.some(option => option.name === name))
  const policy = policyOptionsOf(command)
  const confirming = deletes(endpoint) ? [ownOptions.yes] : []
  const own = [...input, ...policy, ...job, ownOptions.preview, ...confirming, ownOptions.detach, ...generalOptions]
  const target = targetOptions(own)
  return { input, policy, job, target, all: [...own, ...target.all] }
}

/** Creates the job, or shows what it would do. On a terminal the progress is shown until the job has ended. */
export async function runDeviceCommand(
  { command, endpoint }: DeviceCommand,
  options: DeviceCommandOptions,
  given: Arguments,
  client: Client,
  presentation: Presentation,
): Promise<ExitCodeName> {
  const { terminal, isJson } = presentation
  const values = z.omit(endpoint.body as z.ZodMiniObject, { ids: true })
  const input = checked(values, given.valuesOf(options.input))
  const policy = given.valuesOf(options.policy)
  const target = await targetOf(given, options.target.columns)
  const body = checked(jobs.create.body, { command, input, policy, ...target, ...given.valuesOf(options.job) })
  if (given.isSet(ownOptions.preview)) {
    const data = await client.call(jobs.create, { query: { preview: 'true' }, body })
    const preview = z.safeParse(JobPreview, data)
    if (isJson || !preview.success) showData(data, presentation)
    else for (const line of previewLines(preview.data)) terminal.print(line)
    return 'done'
  }
  if (deletes(endpoint)) requireYes(given)
  const created = await client.call(jobs.create, { body })
  if (!('_id' in created)) return 'failed'
  terminal.print(isJson ? printableJson(created) : created._id)
  // A repeating job does not end by itself.
  const repeats = typeof policy.start === 'object'
  if (!terminal.isInteractive || repeats || given.isSet(ownOptions.detach)) return 'done'
  return watchJob(created._id, client, presentation)
}

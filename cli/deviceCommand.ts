/** Commands for devices, which become jobs of the server. */
import * as z from 'zod/mini'
import { JobPreview, jobs } from '../src/api/contract/jobs.ts'
import { generalOptions, ownOptions, type Arguments } from './arguments.ts'
import type { DeviceCommand } from './catalogue.ts'
import type { Client } from './client.ts'
import type { Ending } from './failure.ts'
import { previewLines } from './jobTexts.ts'
import { checked, optionsOf, type Option } from './options.ts'
import { policyOptions } from './policyOptions.ts'
import { showData, type Presentation } from './present.ts'
import { printableJson } from './printable.ts'
import { targetOf, targetOptions } from './targets.ts'
import { watchJob } from './watch.ts'

export interface DeviceCommandOptions {
  /** The values of the command. */
  readonly input: readonly Option[]
  readonly target: ReturnType<typeof targetOptions>
  readonly all: readonly Option[]
}

/** Returns the options of a command. Where names are the same, the command's own come before those of the devices' columns. */
export function deviceCommandOptions({ endpoint }: DeviceCommand): DeviceCommandOptions {
  const input = optionsOf(endpoint.body).filter(({ field }) => field !== 'ids')
  const own = [...input, ...policyOptions, ownOptions.preview, ownOptions.detach, ...generalOptions]
  const target = targetOptions(own)
  return { input, target, all: [...own, ...target.all] }
}

/** Creates the job, or shows what it would do. On a terminal the progress is shown until the job has ended. */
export async function runDeviceCommand(
  { command, endpoint }: DeviceCommand,
  options: DeviceCommandOptions,
  given: Arguments,
  client: Client,
  presentation: Presentation,
): Promise<Ending> {
  const { terminal, isJson } = presentation
  const values = z.omit(endpoint.body as z.ZodMiniObject, { ids: true })
  const input = checked(values, given.valuesOf(options.input))
  const policy = given.valuesOf(policyOptions)
  const target = await targetOf(given, options.target.columns)
  const body = checked(jobs.create.body, { command, input, policy, ...target })
  if (given.isSet(ownOptions.preview)) {
    const data = await client.call(jobs.create, { query: { preview: 'true' }, body })
    const preview = z.safeParse(JobPreview, data)
    if (isJson || !preview.success) showData(data, presentation)
    else for (const line of previewLines(preview.data)) terminal.print(line)
    return 'done'
  }
  const created = await client.call(jobs.create, { body })
  if (!('_id' in created)) return 'failed'
  terminal.print(isJson ? printableJson(created) : created._id)
  if (!terminal.isInteractive || given.isSet(ownOptions.detach)) return 'done'
  return watchJob(created._id, client, presentation)
}

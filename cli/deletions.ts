/** Calls that delete something, which `--yes` has to confirm. */
import type { Endpoint } from '../src/api/contract/endpoint.ts'
import { jobCommands, jobs } from '../src/api/contract/jobs.ts'
import { ownOptions, type Arguments } from './arguments.ts'
import type { CallInput, Client } from './client.ts'
import { usageError } from './failure.ts'

/** Whether every call of an endpoint deletes something. */
export const deletes = ({ method }: Pick<Endpoint, 'method'>): boolean => method === 'DELETE'

/** Whether some calls of an endpoint delete something: those of jobs do what the command of the job does. */
export const mayDelete = (endpoint: Endpoint): boolean =>
  deletes(endpoint) || endpoint === jobs.create || endpoint === jobs.retry

/** Throws a usage error unless the deletion is confirmed. */
export function requireYes(given: Pick<Arguments, 'isSet'>): void {
  if (!given.isSet(ownOptions.yes)) throw usageError('This deletes something. Add --yes to confirm it')
}

/** Throws a usage error if the call deletes something and that is not confirmed. Reads the job that a retry repeats. */
export async function confirmDeletion(
  endpoint: Endpoint,
  { params, body }: CallInput,
  given: Arguments,
  client: Client,
): Promise<void> {
  if (given.isSet(ownOptions.yes) || !mayDelete(endpoint)) return
  const command = async () => {
    if (endpoint === jobs.create) return String((body as { readonly command?: unknown }).command)
    return (await client.call(jobs.detail, { params })).command
  }
  const called = deletes(endpoint) ? endpoint : jobCommands[await command()]
  if (called && deletes(called)) requireYes(given)
}

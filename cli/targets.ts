/** The devices of a command: by their ids, or by a search that the server makes. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { devices } from '../src/api/contract/devices.ts'
import { ListQuery } from '../src/api/contract/endpoint.ts'
import type { JobSearch } from '../src/api/contract/jobs.ts'
import { ownOptions, type Arguments } from './arguments.ts'
import { usageError } from './failure.ts'
import { optionsOf, type Option } from './options.ts'
import { columnOptions, isBlank, searchOf } from './searchOptions.ts'

const list = devices.list.columns!
const isSearch = ({ field }: Option) => ['search', 'column', 'operator'].includes(field)
const searchOptions = optionsOf(ListQuery).filter(isSearch)

/** Returns the options that choose devices, besides those of a command. */
export function targetOptions(taken: readonly Option[]): { all: readonly Option[]; columns: readonly Option[] } {
  const own = [ownOptions.ids, ownOptions.idsFile, ownOptions.all, ...searchOptions]
  const columns = columnOptions(list, [...taken, ...own])
  return { all: [...own, ...columns], columns }
}

/** Returns the ids of an option or a file, which may be standard input; undefined if there is neither. */
export async function readIds(given: Arguments): Promise<string[] | undefined> {
  const [typed, file] = [given.textOf(ownOptions.ids), given.textOf(ownOptions.idsFile)]
  if (typed !== undefined && file !== undefined) throw usageError('Use either --ids or --ids-file')
  const content = file === undefined ? typed : await readText(file)
  return content?.split(/[\s,;]+/).filter(Boolean)
}

async function readText(file: string): Promise<string> {
  try {
    return await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'))
  } catch (error) {
    throw usageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Returns the target of a job. Throws a usage error if there is none, or several: that a command is for all devices has to be
 * said.
 */
export async function targetOf(
  given: Arguments,
  columns: readonly Option[],
): Promise<{ ids: string[] } | { search: JobSearch }> {
  const ids = await readIds(given)
  const typed = given.valuesOf(searchOptions)
  const byColumn = searchOf(list, given.valuesOf(columns))
  if (byColumn && (typed.search !== undefined || typed.column !== undefined))
    throw usageError('Use either an option of a column, or --search and --column')
  if (isBlank(typed.search)) throw usageError('--search is empty. For all devices, use --all')
  const search = byColumn ? { ...byColumn, ...typed } : typed.search === undefined ? undefined : typed
  const targets = [ids, search, given.isSet(ownOptions.all) ? {} : undefined].filter(target => target !== undefined)
  if (targets.length > 1) throw usageError('Choose the devices by their ids, by a search, or by --all')
  if (targets.length === 0)
    throw usageError('Choose the devices: --ids, --ids-file, a column such as --status leak, --search, or --all')
  // Checked with the rest of the job.
  return ids ? { ids } : { search: (search ?? {}) as JobSearch }
}

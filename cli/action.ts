/** The actions of resources: any call of the contract. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { BulkResponse, maxPerCall, type Endpoint, type List } from '../src/api/contract/endpoint.ts'
import { generalOptions, ownOptions, type Arguments } from './arguments.ts'
import type { Client } from './client.ts'
import { confirmDeletion, mayDelete } from './deletions.ts'
import { usageError, type ExitCodeName } from './failure.ts'
import { checked, optionsOf, type Option } from './options.ts'
import { showCount, showData, showRows, type Presentation } from './present.ts'
import { printable } from './printable.ts'
import { newReadState, readAll, readNotes, type ReadOrder, type Source } from '../src/domain/lib/readAll.ts'
import { columnOptions, searchOf } from './searchOptions.ts'
import { readIds } from './targets.ts'
import { typedName } from './words.ts'

export interface ActionOptions {
  /** The names of the values that are typed without an option, in their order. */
  readonly positionals: readonly string[]
  readonly query: readonly Option[]
  readonly body: readonly Option[]
  readonly columns: readonly Option[]
  readonly all: readonly Option[]
}

/** Returns the options of an action. */
export function actionOptions(endpoint: Endpoint): ActionOptions {
  const { params, query, body, columns, upload } = endpoint
  const positionals = optionsOf(params).map(({ field }) => field)
  const ofQuery = optionsOf(query)
  const fields = optionsOf(body)
  const takesIds = fields.some(({ field }) => field === 'ids')
  const own = [
    ...ofQuery,
    // They are read from a file, too.
    ...fields.filter(({ field }) => field !== 'ids'),
    ...(takesIds ? [ownOptions.ids, ownOptions.idsFile] : []),
    ...(upload ? [ownOptions.file] : []),
    ...(columns ? [ownOptions.all] : []),
    ...(mayDelete(endpoint) ? [ownOptions.yes] : []),
    ...generalOptions,
  ]
  const ofColumns = columns ? columnOptions(columns, own) : []
  return { positionals, query: ofQuery, body: fields, columns: ofColumns, all: [...own, ...ofColumns] }
}

/** Calls the endpoint and prints what it returns. */
export async function runAction(
  endpoint: Endpoint,
  options: ActionOptions,
  given: Arguments,
  client: Client,
  presentation: Presentation,
): Promise<ExitCodeName> {
  const params = paramsOf(options, given)
  const typed = given.valuesOf(options.query)
  const byColumn = endpoint.columns && searchOf(endpoint.columns, given.valuesOf(options.columns))
  if (byColumn && (typed.search !== undefined || typed.column !== undefined))
    throw usageError('Use either an option of a column, or --search and --column')
  const query = checked(endpoint.query, { ...byColumn, ...typed })
  if (endpoint.columns)
    return showList(endpoint, { params, query, isAll: given.isSet(ownOptions.all) }, client, presentation)

  const ids = await readIds(given)
  const body = { ...given.valuesOf(options.body.filter(({ field }) => field !== 'ids')), ...(ids && { ids }) }
  if (!endpoint.upload) checked(endpoint.body, body)
  const file = endpoint.upload ? await readUpload(given) : undefined
  if (query.preview !== 'true') await confirmDeletion(endpoint, { params, body }, given, client)
  const data = await client.call(endpoint, { params, query, body, ...(file && { file }) })
  if (endpoint.response === BulkResponse) return showOutcome(data as BulkResponse, presentation)
  showData(data, presentation)
  return 'done'
}

function paramsOf({ positionals: names }: ActionOptions, { positionals }: Arguments): Record<string, string> {
  if (positionals.length < names.length)
    throw usageError(`Missing: ${names.slice(positionals.length).map(typedName).join(', ').toUpperCase()}`)
  if (positionals.length > names.length) throw usageError(`Unexpected: ${positionals.slice(names.length).join(' ')}`)
  return Object.fromEntries(names.map((name, index) => [name, positionals[index]!]))
}

async function readUpload(given: Arguments): Promise<File> {
  const path = given.textOf(ownOptions.file)
  if (path === undefined) throw usageError('Choose the file: --file')
  try {
    return new File([await readFile(path)], basename(path))
  } catch (error) {
    throw usageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

interface ListCall {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** Reads all pages from the first on. */
  readonly isAll: boolean
}

async function showList(
  endpoint: Endpoint,
  { params, query, isAll }: ListCall,
  client: Client,
  presentation: Presentation,
): Promise<ExitCodeName> {
  const start = Number(query.offset ?? 0)
  const { sort, direction: _direction, ...unsorted } = query
  const readPage = async (page: object, order: ReadOrder) => {
    const input = { params, query: { ...(order === 'requested' ? query : unsorted), ...page } }
    return (await client.call(endpoint, input)) as List<unknown>
  }
  if (!isAll) {
    const { data, count } = await readPage({}, 'requested')
    showRows(data, endpoint.columns!, presentation)
    showCount(data.length, start, count, presentation)
    return 'done'
  }
  const source: Source<unknown> = {
    limit: maxPerCall,
    sorted: sort !== undefined,
    keyOf: rowKey,
    async read(offset, order) {
      const { data, count } = await readPage({ limit: maxPerCall, offset: start + offset }, order)
      return { data, count: count - start }
    },
  }
  const rows: unknown[] = []
  const readState = newReadState()
  for await (const page of readAll(source, readState)) rows.push(...page)
  showRows(rows, endpoint.columns!, presentation)
  showCount(rows.length, start, rows.length + start, presentation)
  for (const note of readNotes(readState)) presentation.terminal.say(note)
  return 'done'
}

/** Returns what tells a row of any list from others: its id, with the device of a task, which has the id of its job. */
function rowKey(row: unknown): string {
  const { _id, bssid = '' } = row as { readonly _id: string; readonly bssid?: string }
  return `${_id} ${bssid}`
}

/** Prints how many of the ids are done, and why the others are not. */
function showOutcome(outcome: BulkResponse, presentation: Presentation): ExitCodeName {
  const { count, total, failed } = outcome
  const { terminal, isJson } = presentation
  if (isJson) showData(outcome, presentation)
  else {
    terminal.print(`${count} of ${total} done`)
    for (const { id, message } of failed) terminal.print(`  ${printable(id)}: ${printable(message)}`)
  }
  return failed.length === 0 ? 'done' : 'failed'
}

/** Options that search a list: by one of its columns, as `--status leak`, or as the list itself is called. */
import type { SearchColumns } from '../src/api/contract/endpoint.ts'
import type { Column } from '../src/domain/columns/column.ts'
import { usageError } from './failure.ts'
import type { Option } from './options.ts'
import { typedName } from './words.ts'

/** Returns an option for each column, without those whose names are taken. */
export const columnOptions = ({ kinds }: SearchColumns, taken: readonly Option[]): readonly Option[] =>
  Object.entries(kinds)
    .map(([field, column]) => ({
      name: typedName(field),
      field,
      placeholder: placeholderOf(column),
      isRequired: false,
      read: (text: string) => text,
    }))
    .filter(({ name }) => !taken.some(option => option.name === name))

const placeholderOf = (column: Column) =>
  ({ text: 'TEXT', number: 'NUMBER', time: 'TIME', flag: 'yes|no', choice: 'NAME' })[column.kind]

/** Whether a search is for nothing, which finds every row: a variable of a script may be unset. */
export const isBlank = (search: unknown): boolean => typeof search === 'string' && search.trim() === ''

/** Returns the search for the value of a column: texts contain it, everything else equals it. */
export function searchOf(
  { kinds }: SearchColumns,
  columns: Readonly<Record<string, unknown>>,
): { column: string; search: unknown; operator: 'co' | 'eq' } | undefined {
  const [first, ...others] = Object.entries(columns)
  if (!first) return undefined
  if (others.length > 0) throw usageError('A list can be searched by one column at a time')
  const [column, search] = first
  if (isBlank(search)) throw usageError(`--${typedName(column)} is empty`)
  return { column, search, operator: kinds[column]!.kind === 'text' ? 'co' : 'eq' }
}

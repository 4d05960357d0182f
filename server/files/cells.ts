/** Parses cells of an uploaded row. */
import * as z from 'zod/mini'
import { issueMessage } from '../../src/domain/lib/issues.ts'
import { messages } from '../../src/domain/messages.ts'
import type { Problems, TableRow } from './table.ts'

/** Returns the parsed cell; `undefined` if it is empty, or invalid, in which case a problem is added. */
export function cell<S extends z.core.$ZodType>(
  row: TableRow,
  name: string,
  schema: S,
  problems: Problems,
): z.output<S> | undefined {
  const text = row.cells[name] ?? ''
  // Missing required values were already reported by `parseTable`.
  if (text === '') return undefined
  const parsed = z.safeParse(schema, text, { reportInput: true })
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) problems.add(row, issueMessage(issue, name))
  return undefined
}

/** Returns a schema that parses the text of a number, such as `90000` or `-1.5`, for a schema of numbers. */
export const numeric = <S extends z.core.$ZodType<unknown, number>>(schema: S) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform(text => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN)),
    ),
    schema,
  )

/** Returns the value of the word in the cell; case, spaces, dashes and underscores are ignored. */
export function oneOf<Value>(row: TableRow, name: string, words: Readonly<Record<string, Value>>, problems: Problems) {
  const text = row.cells[name] ?? ''
  if (text === '') return undefined
  const match = Object.keys(words).find(word => plainWord(word) === plainWord(text))
  if (match !== undefined) return words[match]
  problems.add(row, messages.oneOf(name, Object.keys(words)))
  return undefined
}
const plainWord = (word: string) => word.toLowerCase().replace(/[\s_-]+/g, '')

/** Cells of an uploaded row as values. */
import * as z from 'zod/mini'
import { issueMessage } from '../../src/api/contract/issues.ts'
import { messages } from '../../src/domain/messages.ts'
import type { Problems, TableRow } from './table.ts'

/** What the schema makes of the cell; `undefined` where it is empty, or wrong and told. */
export function cell<S extends z.core.$ZodType>(
  row: TableRow,
  name: string,
  schema: S,
  found: Problems,
): z.output<S> | undefined {
  const given = row.cells[name] ?? ''
  // Whether a value is required was told when the table was read.
  if (given === '') return undefined
  const parsed = z.safeParse(schema, given, { reportInput: true })
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) found.add(row, issueMessage(issue, name))
  return undefined
}

/** A number in a cell, for a schema of numbers: `90000`, `-1.5`. */
export const numeric = <S extends z.core.$ZodType<unknown, number>>(schema: S) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform(text => (/^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN)),
    ),
    schema,
  )

/** One of some words, which a person may write in any case, with or without spaces and dashes. */
export function oneOf<Value>(row: TableRow, name: string, words: Readonly<Record<string, Value>>, found: Problems) {
  const given = row.cells[name] ?? ''
  if (given === '') return undefined
  const match = Object.keys(words).find(word => plainWord(word) === plainWord(given))
  if (match !== undefined) return words[match]
  found.add(row, messages.oneOf(name, Object.keys(words)))
  return undefined
}
const plainWord = (word: string) => word.toLowerCase().replace(/[\s_-]+/g, '')

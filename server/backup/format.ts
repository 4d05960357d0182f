/**
 * The format of a backup, compressed with Zstandard: a line of JSON with the header; for each table a line of JSON with its
 * columns, its rows as COPY writes them, a line `\.`, and a line of JSON with its digest; a last line of JSON.
 */
import * as z from 'zod/mini'
import type { Partition, Sequence, Table } from '../dump/tables.ts'

/** Version of the format. A program reads its own and earlier ones. */
export const formatVersion = 1

/** The line after the rows of a table. COPY writes a backslash in a value as two. */
export const endOfRows = '\\.\n'

/** An SQL name, quoted if needed. Backups are not trusted with SQL. */
const identifier = '(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")+")'
const Name = z.string().check(z.regex(new RegExp(`^${identifier}(\\.${identifier})?$`)))
const Bounds = z.string().check(z.regex(/^FOR VALUES FROM \((MINVALUE|'[\d :.+-]+')\) TO \('[\d :.+-]+'\)$/))

/** What the first line must have in every version. */
export const AnyHeader = z.looseObject({ format: z.literal('permeate-backup'), version: z.int() })

export const Header = z.object({
  format: z.literal('permeate-backup'),
  version: z.literal(formatVersion),
  /** The version of Permeate that made it. */
  program: z.string(),
  /** The number of migrations of the database. */
  schema: z.int(),
  /** The moment that it shows, ISO 8601. */
  taken_at: z.string(),
  partitions: z.array(z.object({ name: Name, of: Name, bounds: Bounds })),
  sequences: z.array(z.object({ name: Name, value: z.string().check(z.regex(/^-?\d+$/)) })),
}) satisfies z.ZodMiniType<{ partitions: Partition[]; sequences: Sequence[] }>
export type Header = z.output<typeof Header>

const TableStart = z.object({ name: Name, columns: z.array(Name) }) satisfies z.ZodMiniType<Table>
/** Its rows and their digest (see `digest`). */
export const TableEnd = z.object({ digest: z.string() })
/** After the last table; the number of tables. */
const End = z.object({ tables: z.int() })
export const TableStartOrEnd = z.union([TableStart, End])

export const jsonLine = (value: unknown) => `${JSON.stringify(value)}\n`

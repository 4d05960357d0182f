/** A table to export, independent of the file type. */

export const exportTypes = ['xls', 'csv', 'json', 'txt'] as const
export type ExportType = (typeof exportTypes)[number]
export const exportTypeNames: Readonly<Record<ExportType, string>> = {
  xls: 'Excel (.xls)',
  csv: 'CSV',
  json: 'JSON',
  txt: 'Text (.txt)',
}

/** Null is a missing value. */
export type ExportCell = string | number | null
export type ExportRow = readonly ExportCell[]

export interface ExportColumn {
  /** The heading without its unit. */
  readonly name: string
  /** The symbol of the numbers' unit. */
  readonly unit?: string
  /** The property name in JSON; `name` by default. */
  readonly key?: string
  /** The cells are times: ISO 8601 to the second, with an offset, in the table's zone. */
  readonly times?: boolean
}

export interface ExportHead {
  readonly title: string
  /** An IANA name, or words that describe the zone. */
  readonly zone: string
  readonly columns: readonly ExportColumn[]
}

/** A table whose rows arrive in pages, so that a fleet need not be in memory at once. */
export interface ExportTable extends ExportHead {
  readonly pages: AsyncIterable<readonly ExportRow[]>
  /** Returns notes about the whole table, such as its search. Complete once the last page has been read. */
  notes(): readonly string[]
}

/** Returns a heading with its unit or zone: `Temperature (°C)`, `Last active (Europe/Berlin)`. */
export function headingOf({ name, unit, times }: ExportColumn, zone: string): string {
  const suffix = times ? zone : unit
  return suffix ? `${name} (${suffix})` : name
}

/** Returns a file name: `permeate-devices-2026-11-20.csv`. */
export const exportFileName = (what: string, type: ExportType): string => `permeate-${what}.${type}`

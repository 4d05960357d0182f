/** A table that leaves the console as a file, before it is written in any of the forms. */

export const exportTypes = ['xls', 'csv', 'json', 'txt'] as const
export type ExportType = (typeof exportTypes)[number]
export const exportTypeNames: Readonly<Record<ExportType, string>> = {
  xls: 'Excel (.xls)',
  csv: 'CSV',
  json: 'JSON',
  txt: 'Text (.txt)',
}

/** Null is nothing read, or nothing there. */
export type ExportCell = string | number | null
export type ExportRow = readonly ExportCell[]

export interface ExportColumn {
  /** A heading without its unit. */
  readonly name: string
  /** The symbol of the unit that its numbers are in. */
  readonly unit?: string
  /** What JSON calls it; its name where it has no other. */
  readonly key?: string
  /** Its cells are times: ISO 8601 to the second, with an offset, on the clocks of the table's zone. */
  readonly times?: boolean
}

export interface ExportHead {
  readonly title: string
  /** An IANA name, or whose zone it is. */
  readonly zone: string
  readonly columns: readonly ExportColumn[]
}

/** The rows come in pages, so that a fleet need not be held at once. */
export interface ExportTable extends ExportHead {
  readonly pages: AsyncIterable<readonly ExportRow[]>
  /** What a reader must know of all rows, such as what was searched for; whole once the last page was read. */
  notes(): readonly string[]
}

/** `Temperature (°C)`, `Last active (Europe/Berlin)`: a table without a head still says what its values are. */
export function headingOf({ name, unit, times }: ExportColumn, zone: string): string {
  const of = times ? zone : unit
  return of ? `${name} (${of})` : name
}

/** `permeate-devices-2026-11-20.csv` */
export const exportFileName = (what: string, type: ExportType): string => `permeate-${what}.${type}`

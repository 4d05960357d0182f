import type { ExportRow } from '../domain/exportTable.ts'

/** Writes rows, page by page, as a file. */
export interface Writer {
  /** Its media type. */
  readonly type: string
  add(rows: readonly ExportRow[]): void
  /** The parts of the file, in order. `notes` are known only now, wherever they stand. */
  end(notes: readonly string[]): BlobPart[]
}

import type { ExportRow } from '../domain/exportTable.ts'

/** Writes rows, page by page, to a file. */
export interface Writer {
  /** The file's media type. */
  readonly type: string
  add(rows: readonly ExportRow[]): void
  /** Returns the parts of the file, in order. `notes` are complete only after the last row. */
  end(notes: readonly string[]): BlobPart[]
}

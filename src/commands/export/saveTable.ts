/** From a table to a file that a person keeps. */
import type { Progress } from '../../api/matching.ts'
import { exportFileName, type ExportTable, type ExportType } from '../../domain/exportTable.ts'
import { writers } from './writers.ts'

interface Way {
  readonly progress: Progress
  save(name: string, file: Blob): void
}

/**
 * Writes the pages as they come and saves the file once the last is there; cancelled or failed, there is none. Returns
 * the file's name, in which `what` says what is in it.
 */
export async function saveTable(table: ExportTable, what: string, type: ExportType, way: Way): Promise<string> {
  const writer = writers[type](table)
  for await (const rows of table.pages) {
    way.progress.signal.throwIfAborted()
    writer.add(rows)
  }
  way.progress.signal.throwIfAborted()
  const name = exportFileName(what, type)
  way.save(name, new Blob(writer.end(table.notes()), { type: writer.type }))
  return name
}

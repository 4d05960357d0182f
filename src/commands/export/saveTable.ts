/** From a table to a file that a person keeps. */
import type { Progress } from '../../api/readMatches.ts'
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
    await breath()
  }
  way.progress.signal.throwIfAborted()
  const name = exportFileName(what, type)
  way.save(name, new Blob(writer.end(table.notes()), { type: writer.type }))
  return name
}

/** Lets the browser draw, and hear of keys. By a message: timers are slowed down where the tab is not in sight. */
const breath = (): Promise<void> =>
  new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })

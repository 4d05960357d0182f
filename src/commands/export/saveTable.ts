/** Writes a table to a file and saves it. */
import type { Progress } from '../../api/readMatches.ts'
import { exportFileName, type ExportTable, type ExportType } from '../../domain/exportTable.ts'
import { writers } from './writers.ts'

interface Output {
  readonly progress: Progress
  save(name: string, file: Blob): void
}

/**
 * Writes the pages as they arrive, saves the file after the last one, and returns its name, which contains `what`.
 * Rejects without a file when a page fails or the progress is cancelled.
 */
export async function saveTable(table: ExportTable, what: string, type: ExportType, output: Output): Promise<string> {
  const writer = writers[type](table)
  for await (const rows of table.pages) {
    output.progress.signal.throwIfAborted()
    writer.add(rows)
    await yieldToBrowser()
  }
  output.progress.signal.throwIfAborted()
  const name = exportFileName(what, type)
  output.save(name, new Blob(writer.end(table.notes()), { type: writer.type }))
  return name
}

/** Lets the browser render and handle input. Uses a message, because browsers throttle timers in hidden tabs. */
const yieldToBrowser = (): Promise<void> =>
  new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })

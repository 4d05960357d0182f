/** Reads uploaded CSV and Excel files as rows of text. */
import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { maxUploadBytes, maxUploadRows } from '../../src/api/contract/uploads.ts'
import { badRequest, HttpError } from '../core/errors.ts'
import type { UploadedFile } from '../endpoints/handler.ts'
import type { SheetResult, SheetRequest } from './sheet.ts'

/** Milliseconds for reading a file; 50,000 rows take two or three seconds. */
const timeout = 30_000
/** Heap limit of the worker. */
const maxMegabytes = 768
const tooLarge = new HttpError(413, 'The file is larger than 10 MB')
const unreadable = 'Could not read the file'

/** Files are read one after the other, because each may need much memory. */
let lastRead: Promise<unknown> = Promise.resolve()

/**
 * Returns all rows of the first sheet, starting with the header. Throws a 400 or 413 for an invalid file, even if
 * the file name's extension does not match the content.
 */
export async function readSheet({ name, stream }: UploadedFile): Promise<string[][]> {
  const bytes = await buffer(stream)
  if (bytes.length > maxUploadBytes) throw tooLarge
  const kind = kindOf(name, bytes)
  const pending = lastRead.then(() => parseInWorker({ kind, bytes }))
  lastRead = pending.catch(() => undefined)
  const result = await pending
  if ('problem' in result) throw badRequest(result.problem)
  if (result.rows.length > maxUploadRows + 1) throw badRequest(`The file has more than ${maxUploadRows} rows`)
  return result.rows
}

function kindOf(name: string, bytes: Buffer): SheetRequest['kind'] {
  const kind = /\.(csv|xlsx)$/i.exec(name)?.[1]?.toLowerCase()
  if (kind === undefined) throw badRequest('The file must be a .csv or .xlsx file')
  if (bytes.length === 0) throw badRequest('The file is empty')
  const isZip = bytes.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]))
  if (isZip !== (kind === 'xlsx')) throw badRequest(`The content does not match the extension .${kind}`)
  return kind as SheetRequest['kind']
}

/** Parses a file in a worker thread, with limited time and memory. */
async function parseInWorker(request: SheetRequest): Promise<SheetResult> {
  const { promise, resolve } = Promise.withResolvers<SheetResult>()
  const worker = new Worker(new URL('sheet.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
  })
  const timer = setTimeout(() => resolve({ problem: `${unreadable}: it takes too long` }), timeout)
  worker.once('message', resolve)
  worker.once('error', () => resolve({ problem: unreadable }))
  worker.once('exit', () => resolve({ problem: unreadable }))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

/** Reads uploaded CSV and Excel files as rows of text. */
import { maxUploadBytes } from '../../src/domain/uploads.ts'
import { badRequest, HttpError } from '../core/errors.ts'
import type { UploadedFile } from '../endpoints/handler.ts'
import type { SheetRow } from './sheetLines.ts'
import { readInProcess } from './sheetWorkers.ts'

const tooLarge = new HttpError(413, 'The file is larger than 10 MB')

/**
 * Yields the rows of the first sheet that are not blank, in batches, starting with the header. Throws a 400 or 413 for an
 * invalid file, even if the file name's extension does not match the content.
 */
export async function* readSheet({ name, bytes }: UploadedFile): AsyncGenerator<readonly SheetRow[], void> {
  if (bytes.length > maxUploadBytes) throw tooLarge
  yield* readInProcess(kindOf(name, bytes), bytes)
}

function kindOf(name: string, bytes: Buffer): 'csv' | 'xlsx' {
  const kind = /\.(csv|xlsx)$/i.exec(name)?.[1]?.toLowerCase()
  if (kind === undefined) throw badRequest('The file must be a .csv or .xlsx file')
  if (bytes.length === 0) throw badRequest('The file is empty')
  const isZip = bytes.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]))
  if (isZip !== (kind === 'xlsx')) throw badRequest(`The content does not match the extension .${kind}`)
  return kind as 'csv' | 'xlsx'
}

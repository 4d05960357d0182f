/** Divides a large CSV file into parts that the server takes, without reading it into memory as a whole. */
import { maxUploadBytes, maxUploadRows } from '../../domain/uploads.ts'

/** A part of a file: the header, and some of its rows. */
export interface FilePart {
  readonly file: File
  /** The number of its first row in the whole file, where the header is row 1. */
  readonly firstRow: number
  readonly rows: number
  readonly headerBytes: number
}

/** Limits of a part. */
export interface PartLimits {
  readonly rows: number
  /** Of the text, including the header. */
  readonly bytes: number
}
const uploadLimits: PartLimits = { rows: maxUploadRows, bytes: maxUploadBytes }

/** Bytes that are read at once. */
const sliceBytes = 1024 * 1024

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Calls `onEnd` with the offset behind each line of a CSV file in UTF-8. Lines end with CR, LF or both, except within quotes; the
 * last one may end with the file.
 */
async function findLineEnds(file: Blob, onEnd: (offset: number) => void): Promise<void> {
  let isQuoted = false
  let afterReturn = false
  let ended = 0
  const end = (offset: number) => {
    ended = offset
    onEnd(offset)
  }
  for (let start = 0; start < file.size; start += sliceBytes) {
    const bytes = new Uint8Array(await file.slice(start, start + sliceBytes).arrayBuffer())
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (afterReturn) {
        afterReturn = false
        end(start + at + (byte === lineFeed ? 1 : 0))
        if (byte === lineFeed) continue
      }
      // A quote within a quoted text is doubled, so it changes nothing.
      if (byte === quote) isQuoted = !isQuoted
      else if (isQuoted) continue
      else if (byte === lineFeed) end(start + at + 1)
      else if (byte === carriageReturn) afterReturn = true
    }
  }
  if (ended < file.size) end(file.size)
}

/** Divides a CSV file. A row that is larger than a part is a part of its own, which the server refuses. */
export async function divideFile(file: File, limits = uploadLimits): Promise<readonly FilePart[]> {
  const parts: FilePart[] = []
  let header: Blob | undefined
  let firstRow = 2
  let rows = 0
  let start = 0
  let end = 0
  const close = () => {
    if (!header || rows === 0) return
    const content = new File([header, file.slice(start, end)], file.name)
    parts.push({ file: content, firstRow, rows, headerBytes: header.size })
    firstRow += rows
    rows = 0
    start = end
  }
  await findLineEnds(file, offset => {
    if (!header) {
      header = file.slice(0, offset)
      start = end = offset
      return
    }
    if (rows === limits.rows || header.size + offset - start > limits.bytes) close()
    rows++
    end = offset
  })
  close()
  return parts
}

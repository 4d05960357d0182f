/** Writes the workbook globals: the records that precede the sheets ([MS-XLS] 2.1.7.20.3). */
import { createByteWriter, type ByteWriter } from './byteWriter.ts'
import { writeString, stringLength, writeRecord } from './records.ts'

interface SheetInBook {
  readonly name: string
  readonly bytes: number
}

/**
 * Returns the workbook globals in three parts: formats and the sheet directory, the shared strings, and the end record.
 * `bytes` of a sheet is its length, from which the directory computes the sheets' offsets.
 */
export function bookRecords(
  sheets: readonly SheetInBook[],
  formats: (bytes: ByteWriter) => void,
  strings: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer>[] {
  const bytes = createByteWriter()
  writeRecord(bytes, 0x0809, 0x0600, 0x0005, 0x0dbb, 0x07cc, 0xc1, 0, 6, 3)
  // Code page UTF-16, window position and size, dates counted from 1900.
  writeRecord(bytes, 0x0042, 1200)
  writeRecord(bytes, 0x003d, 0, 0, 0x4000, 0x2000, 0x38, 0, 0, 1, 600)
  writeRecord(bytes, 0x0022, 0)
  formats(bytes)
  const end = createByteWriter(4)
  writeRecord(end, 0x000a)
  const directory = sheets.reduce((sum, { name }) => sum + 4 + 6 + stringLength(name, 1), 0)
  let offset = bytes.length + directory + strings.length + end.length
  for (const sheet of sheets) {
    bytes.u16(0x0085)
    bytes.u16(6 + stringLength(sheet.name, 1))
    bytes.u32(offset)
    bytes.u16(0)
    writeString(bytes, sheet.name, 1)
    offset += sheet.bytes
  }
  return [bytes.toBytes(), strings, end.toBytes()]
}

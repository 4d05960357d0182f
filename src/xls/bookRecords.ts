/** The records of a workbook that stand before its sheets. */
import { createBytes, type Bytes } from './bytes.ts'
import { named, namedLength, record } from './records.ts'

interface SheetInBook {
  readonly name: string
  readonly bytes: number
}

/** Where each sheet begins, what its cells look like, and their texts; in two parts. */
export function bookRecords(
  sheets: readonly SheetInBook[],
  formats: (bytes: Bytes) => void,
  strings: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer>[] {
  const bytes = createBytes()
  record(bytes, 0x0809, 0x0600, 0x0005, 0x0dbb, 0x07cc, 0xc1, 0, 6, 3)
  // Texts are UTF-16; the window; dates count from 1900.
  record(bytes, 0x0042, 1200)
  record(bytes, 0x003d, 0, 0, 0x4000, 0x2000, 0x38, 0, 0, 1, 600)
  record(bytes, 0x0022, 0)
  formats(bytes)
  const end = createBytes(4)
  record(end, 0x000a)
  const directory = sheets.reduce((sum, { name }) => sum + 4 + 6 + namedLength(name, 1), 0)
  let begins = bytes.length + directory + strings.length + end.length
  for (const sheet of sheets) {
    bytes.u16(0x0085)
    bytes.u16(6 + namedLength(sheet.name, 1))
    bytes.u32(begins)
    bytes.u16(0)
    named(bytes, sheet.name, 1)
    begins += sheet.bytes
  }
  return [bytes.taken(), strings, end.taken()]
}

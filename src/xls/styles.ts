/** Cell styles of a workbook: numbers, text, headings, and one time style for each UTC offset. */
import type { ByteWriter } from './byteWriter.ts'
import { writeString, stringLength, writeRecord } from './records.ts'
import { msPerDay } from '../domain/time.ts'

/** Indexes of the cell styles; the first fifteen are Excel's built-in styles. */
export const styles = { number: 15, text: 16, heading: 17 } as const
const firstTimeStyle = 18
/** Number formats below 164 are built in. Format 49 is text: cells stay text when they are edited. */
const firstCustomFormat = 164
const textFormat = 49

const timePattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d:\d\d)$/
/** 1 January 1970 as an Excel serial number, in days. */
const epoch = 25_569

export function createStyles() {
  const offsets: string[] = []
  return {
    /**
     * Returns a time as Excel's serial number of its local time, and the style that shows it with its UTC offset.
     * Returns undefined if the cell is not an ISO time with an offset.
     */
    timeOf(cell: string): { serial: number; style: number } | undefined {
      const [, wall, offset] = timePattern.exec(cell) ?? []
      if (wall === undefined || offset === undefined) return undefined
      if (!offsets.includes(offset)) offsets.push(offset)
      const serial = Date.parse(`${wall}Z`) / msPerDay + epoch
      return { serial, style: firstTimeStyle + offsets.indexOf(offset) }
    },
    /** Returns a function that writes the font, format and style records. */
    records:
      () =>
      (bytes: ByteWriter): void => {
        // Excel skips font index 4: the fifth font has index 5.
        for (const bold of [false, true, false, false]) addFont(bytes, bold)
        const formats = offsets.map(offset => `yyyy-mm-dd"T"hh:mm:ss"${offset}"`)
        for (const [index, format] of formats.entries()) {
          bytes.u16(0x041e)
          bytes.u16(2 + stringLength(format, 2))
          bytes.u16(firstCustomFormat + index)
          writeString(bytes, format, 2)
        }
        for (let index = 0; index < styles.number; index++) addStyle(bytes, 0, 0, true)
        addStyle(bytes, 0, 0, false)
        addStyle(bytes, 0, textFormat, false)
        addStyle(bytes, 1, textFormat, false)
        for (const index of formats.keys()) addStyle(bytes, 0, firstCustomFormat + index, false)
        // Style 0 is named Normal.
        writeRecord(bytes, 0x0293, 0x8000, 0xff00)
      },
  }
}

/** Writes a font record: Arial, 10 points. */
function addFont(bytes: ByteWriter, bold: boolean): void {
  const name = 'Arial'
  bytes.u16(0x0031)
  bytes.u16(14 + stringLength(name, 1))
  for (const word of [200, 0, 0x7fff, bold ? 700 : 400, 0, 0, 0]) bytes.u16(word)
  writeString(bytes, name, 1)
}

/** Writes a style record. `builtin`: a parent style of cell styles. */
const addStyle = (bytes: ByteWriter, font: number, format: number, builtin: boolean): void =>
  writeRecord(
    bytes,
    0x00e0,
    font,
    format,
    builtin ? 0xfff5 : 0x0001,
    0x20,
    builtin ? 0xf400 : 0x0c00,
    0,
    0,
    0,
    0,
    0x20c0,
  )

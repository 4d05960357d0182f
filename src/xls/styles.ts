/** How cells of a workbook look: numbers, text, headings, and times by their offset. */
import type { Bytes } from './bytes.ts'
import { named, namedLength, record } from './records.ts'

/** Places among the cell styles; the first fifteen are those of Excel's own. */
export const styles = { number: 15, text: 16, heading: 17 } as const
const firstOfTimes = 18
/** Formats below are Excel's own; 49 is text, which stays text when it is edited. */
const firstOwnFormat = 164
const textFormat = 49

const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d:\d\d)$/
const dayMilliseconds = 86_400_000
/** 1 January 1970 in days of Excel. */
const epoch = 25_569

export function createStyles() {
  const offsets: string[] = []
  return {
    /**
     * A time as a number that Excel shows, sorts and charts as one: what the clock on the wall shows, and the style that
     * shows it with its offset. Undefined for what is no time.
     */
    timeOf(cell: string): { serial: number; style: number } | undefined {
      const [, wall, offset] = time.exec(cell) ?? []
      if (wall === undefined || offset === undefined) return undefined
      if (!offsets.includes(offset)) offsets.push(offset)
      const serial = Date.parse(`${wall}Z`) / dayMilliseconds + epoch
      return { serial, style: firstOfTimes + offsets.indexOf(offset) }
    },
    /** The records of fonts, formats and styles. */
    records:
      () =>
      (bytes: Bytes): void => {
        // Excel has no font 4, so the fifth is what it calls 5.
        for (const bold of [false, true, false, false]) addFont(bytes, bold)
        const formats = offsets.map(offset => `yyyy-mm-dd"T"hh:mm:ss"${offset}"`)
        for (const [at, format] of formats.entries()) {
          bytes.u16(0x041e)
          bytes.u16(2 + namedLength(format, 2))
          bytes.u16(firstOwnFormat + at)
          named(bytes, format, 2)
        }
        for (let at = 0; at < styles.number; at++) addStyle(bytes, 0, 0, true)
        addStyle(bytes, 0, 0, false)
        addStyle(bytes, 0, textFormat, false)
        addStyle(bytes, 1, textFormat, false)
        for (const at of formats.keys()) addStyle(bytes, 0, firstOwnFormat + at, false)
        // The first of them is the one called Normal.
        record(bytes, 0x0293, 0x8000, 0xff00)
      },
  }
}

/** Arial of 10 points. */
function addFont(bytes: Bytes, bold: boolean): void {
  const name = 'Arial'
  bytes.u16(0x0031)
  bytes.u16(14 + namedLength(name, 1))
  for (const word of [200, 0, 0x7fff, bold ? 700 : 400, 0, 0, 0]) bytes.u16(word)
  named(bytes, name, 1)
}

/** `own`: one of Excel's own, which cells' styles descend from. */
const addStyle = (bytes: Bytes, font: number, format: number, own: boolean): void =>
  record(bytes, 0x00e0, font, format, own ? 0xfff5 : 0x0001, 0x20, own ? 0xf400 : 0x0c00, 0, 0, 0, 0, 0x20c0)

/** Writes records of an .xls workbook ([MS-XLS], BIFF8): a type, a length and at most 8,224 bytes of data. */
import { createByteWriter, isWide, type ByteWriter } from './byteWriter.ts'

const maxInRecord = 8224
const continueType = 0x003c
const sharedStringsType = 0x00fc

/** Writes a record of two-byte numbers. */
export function writeRecord(bytes: ByteWriter, type: number, ...words: readonly number[]): void {
  bytes.u16(type)
  bytes.u16(words.length * 2)
  for (const word of words) bytes.u16(word)
}

/** Writes a string preceded by its length, in one or two bytes. */
export function writeString(bytes: ByteWriter, text: string, lengthBytes: 1 | 2): void {
  const wide = isWide(text)
  if (lengthBytes === 1) bytes.u8(text.length)
  else bytes.u16(text.length)
  bytes.u8(wide ? 1 : 0)
  bytes.text(text, wide)
}
/** Returns the bytes that `writeString` writes. */
export const stringLength = (text: string, lengthBytes: 1 | 2): number =>
  lengthBytes + 1 + text.length * (isWide(text) ? 2 : 1)

/**
 * Builds the shared string table: each distinct text once. A table longer than a record continues in `Continue`
 * records; a string split between two repeats its width flag in the second.
 */
export function createSharedStrings() {
  const indexes = new Map<string, number>()
  const bytes = createByteWriter(1 << 20)
  let references = 0
  let start = 0
  const openRecord = (type: number) => {
    start = bytes.length
    bytes.u16(type)
    bytes.u16(0)
  }
  const closeRecord = () => bytes.putU16(start + 2, bytes.length - start - 4)
  const room = () => maxInRecord - (bytes.length - start - 4)
  const startContinuation = () => {
    closeRecord()
    openRecord(continueType)
  }
  openRecord(sharedStringsType)
  bytes.zeros(8)

  const add = (text: string) => {
    const wide = isWide(text)
    const perCharacter = wide ? 2 : 1
    // A string's header and first character must be in the same record.
    if (room() < 3 + perCharacter) startContinuation()
    bytes.u16(text.length)
    bytes.u8(wide ? 1 : 0)
    for (let index = 0; index < text.length;) {
      if (room() < perCharacter) {
        startContinuation()
        bytes.u8(wide ? 1 : 0)
      }
      const part = text.slice(index, index + Math.floor(room() / perCharacter))
      bytes.text(part, wide)
      index += part.length
    }
  }

  return {
    /** Returns the text's index in the table, adding it if it is new. */
    indexOf(text: string): number {
      references++
      const existing = indexes.get(text)
      if (existing !== undefined) return existing
      indexes.set(text, indexes.size)
      add(text)
      return indexes.size - 1
    },
    /** Returns the table's records. No text may be added afterwards. */
    end(): Uint8Array<ArrayBuffer> {
      closeRecord()
      bytes.putU32(4, references)
      bytes.putU32(8, indexes.size)
      return bytes.toBytes()
    },
  }
}

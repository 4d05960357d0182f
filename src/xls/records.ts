/** Records of an .xls workbook ([MS-XLS], BIFF8): a type, a length, and at most 8,224 bytes. */
import { createBytes, isWide, type Bytes } from './bytes.ts'

const maxInRecord = 8224
const continued = 0x003c
const sharedStrings = 0x00fc

/** A record of numbers of two bytes each, which most are. */
export function record(bytes: Bytes, type: number, ...words: readonly number[]): void {
  bytes.u16(type)
  bytes.u16(words.length * 2)
  for (const word of words) bytes.u16(word)
}

/** A number of four bytes as two words. */
export const long = (value: number): [low: number, high: number] => [value & 0xffff, value >>> 16]

/** A text with its length, in one or two bytes, before it. */
export function named(bytes: Bytes, text: string, lengthBytes: 1 | 2): void {
  const wide = isWide(text)
  if (lengthBytes === 1) bytes.u8(text.length)
  else bytes.u16(text.length)
  bytes.u8(wide ? 1 : 0)
  bytes.text(text, wide)
}
export const namedLength = (text: string, lengthBytes: 1 | 2): number =>
  lengthBytes + 1 + text.length * (isWide(text) ? 2 : 1)

/** The texts of all cells, each once. Longer than a record, they go on in the next one, which says anew how wide they are. */
export function createSharedStrings() {
  const places = new Map<string, number>()
  const bytes = createBytes(1 << 20)
  let used = 0
  let start = 0
  const open = (type: number) => {
    start = bytes.length
    bytes.u16(type)
    bytes.u16(0)
  }
  const close = () => bytes.putU16(start + 2, bytes.length - start - 4)
  const room = () => maxInRecord - (bytes.length - start - 4)
  const goOn = () => {
    close()
    open(continued)
  }
  open(sharedStrings)
  bytes.zeros(8)

  const add = (text: string) => {
    const wide = isWide(text)
    const perCharacter = wide ? 2 : 1
    // Its head is not divided, nor parted from its first character.
    if (room() < 3 + perCharacter) goOn()
    bytes.u16(text.length)
    bytes.u8(wide ? 1 : 0)
    for (let at = 0; at < text.length;) {
      if (room() < perCharacter) {
        goOn()
        bytes.u8(wide ? 1 : 0)
      }
      const part = text.slice(at, at + Math.floor(room() / perCharacter))
      bytes.text(part, wide)
      at += part.length
    }
  }

  return {
    /** The text's place among all. */
    placeOf(text: string): number {
      used++
      const known = places.get(text)
      if (known !== undefined) return known
      places.set(text, places.size)
      add(text)
      return places.size - 1
    },
    /** The records; nothing may be added any more. */
    end(): Uint8Array<ArrayBuffer> {
      close()
      bytes.putU32(4, used)
      bytes.putU32(8, places.size)
      return bytes.taken()
    },
  }
}

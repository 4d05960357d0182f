/** A little-endian byte writer on a growing buffer. */

export type ByteWriter = ReturnType<typeof createByteWriter>

export function createByteWriter(room = 1 << 16) {
  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array(room)
  let view = new DataView(bytes.buffer)
  let length = 0

  /** Reserves `count` bytes and returns their offset. Growing replaces `bytes` and `view`. */
  const reserve = (count: number) => {
    const offset = length
    length += count
    if (length > bytes.length) {
      const grown = new Uint8Array(Math.max(length, bytes.length * 2))
      grown.set(bytes)
      bytes = grown
      view = new DataView(bytes.buffer)
    }
    return offset
  }

  return {
    get length() {
      return length
    },
    u8(value: number) {
      const offset = reserve(1)
      view.setUint8(offset, value)
    },
    u16(value: number) {
      const offset = reserve(2)
      view.setUint16(offset, value, true)
    },
    u32(value: number) {
      const offset = reserve(4)
      view.setUint32(offset, value, true)
    },
    f64(value: number) {
      const offset = reserve(8)
      view.setFloat64(offset, value, true)
    },
    zeros: (count: number) => void reserve(count),
    /** Writes character codes: two bytes each if `wide`, otherwise one. */
    text(text: string, wide: boolean) {
      const offset = reserve(text.length * (wide ? 2 : 1))
      for (let index = 0; index < text.length; index++) {
        if (wide) view.setUint16(offset + index * 2, text.charCodeAt(index), true)
        else bytes[offset + index] = text.charCodeAt(index)
      }
    },
    /** Overwrites a value at an offset. */
    putU16: (offset: number, value: number) => view.setUint16(offset, value, true),
    putU32: (offset: number, value: number) => view.setUint32(offset, value, true),
    /** Returns a copy of the bytes written so far. */
    toBytes: (): Uint8Array<ArrayBuffer> => bytes.slice(0, length),
    clear() {
      bytes.fill(0, 0, length)
      length = 0
    },
  }
}

/** Returns whether a text has characters above U+00FF, which need two bytes. */
export const isWide = (text: string): boolean => /[^\0-\u00FF]/.test(text)

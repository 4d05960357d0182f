/** Bytes written one after another, little-endian, in a buffer that grows. */

export type Bytes = ReturnType<typeof createBytes>

export function createBytes(room = 1 << 16) {
  let bytes: Uint8Array<ArrayBuffer> = new Uint8Array(room)
  let view = new DataView(bytes.buffer)
  let length = 0

  /** Where so many bytes are to be written; `bytes` and `view` may be others after it. */
  const place = (count: number) => {
    const at = length
    length += count
    if (length > bytes.length) {
      const grown = new Uint8Array(Math.max(length, bytes.length * 2))
      grown.set(bytes)
      bytes = grown
      view = new DataView(bytes.buffer)
    }
    return at
  }

  return {
    get length() {
      return length
    },
    u8(value: number) {
      const at = place(1)
      view.setUint8(at, value)
    },
    u16(value: number) {
      const at = place(2)
      view.setUint16(at, value, true)
    },
    u32(value: number) {
      const at = place(4)
      view.setUint32(at, value, true)
    },
    f64(value: number) {
      const at = place(8)
      view.setFloat64(at, value, true)
    },
    zeros: (count: number) => void place(count),
    /** The characters' codes; one byte each is enough for those below 256. */
    text(text: string, wide: boolean) {
      const at = place(text.length * (wide ? 2 : 1))
      for (let index = 0; index < text.length; index++) {
        if (wide) view.setUint16(at + index * 2, text.charCodeAt(index), true)
        else bytes[at + index] = text.charCodeAt(index)
      }
    },
    /** Writes over what is there. */
    putU16: (at: number, value: number) => view.setUint16(at, value, true),
    putU32: (at: number, value: number) => view.setUint32(at, value, true),
    /** What has been written. */
    taken: (): Uint8Array<ArrayBuffer> => bytes.slice(0, length),
    clear() {
      bytes.fill(0, 0, length)
      length = 0
    },
  }
}

/** Whether a text has characters that one byte cannot hold. */
export const isWide = (text: string): boolean => /[^\0-\u00FF]/.test(text)

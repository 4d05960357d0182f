/** Detects MQTT packets that are too long, because the broker buffers packets completely in memory. */

/**
 * Returns a function that takes a connection's next bytes and returns whether all packets that begin in them have at
 * most `maxBytes`. It follows the remaining-length fields of the packets (MQTT 3.1.1, 2.2.3).
 */
export function packetGate(maxBytes: number): (bytes: Uint8Array) => boolean {
  /** Remaining bytes of the current packet. */
  let remaining = 0
  let length = 0
  /** Length bytes read so far; −1 before the packet's first byte. */
  let digits = -1

  return bytes => {
    let at = 0
    while (at < bytes.length) {
      const skipped = Math.min(remaining, bytes.length - at)
      if (skipped > 0) {
        remaining -= skipped
        at += skipped
        continue
      }
      const byte = bytes[at++]!
      if (digits < 0) {
        digits = 0
        length = 0
        continue
      }
      length += (byte & 0x7f) * 128 ** digits
      digits++
      if (length > maxBytes || digits > 4) return false
      if (byte >= 0x80) continue
      remaining = length
      digits = -1
    }
    return true
  }
}

/** Keeps packets out that are longer than any device has reason to send: the broker would gather each whole in memory. */

/**
 * Follows a connection's bytes by the lengths that MQTT packets begin with (MQTT 3.1.1, 2.2). The returned function
 * takes the next bytes and tells whether all packets that begin in them hold at most `most` bytes.
 */
export function packetGate(maxBytes: number): (bytes: Uint8Array) => boolean {
  /** Bytes of the current packet that are still to come. */
  let left = 0
  let length = 0
  /** Digits of the length that were read; below zero before the packet's first byte. */
  let digits = -1

  return bytes => {
    let at = 0
    while (at < bytes.length) {
      const skipped = Math.min(left, bytes.length - at)
      if (skipped > 0) {
        left -= skipped
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
      left = length
      digits = -1
    }
    return true
  }
}

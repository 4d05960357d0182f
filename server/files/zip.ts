/** Protection against zip bombs. */
import { inflateRawSync } from 'node:zlib'

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const deflated = 8

/**
 * Returns whether an archive unpacks to at most `maxBytes`. Unpacks every entry up to its declared size, so that a
 * false size is detected. Throws if the data is not a valid archive.
 */
export function unpacksWithin(archive: Buffer, maxBytes: number): boolean {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || archive.readUInt32LE(end) !== endSignature) throw new Error('no archive')
  const entries = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  let total = 0
  for (let entry = 0; entry < entries; entry++) {
    if (archive.readUInt32LE(at) !== entrySignature) throw new Error('no entry')
    const packed = archive.readUInt32LE(at + 20)
    const declared = archive.readUInt32LE(at + 24)
    total += declared
    if (total > maxBytes) return false
    const local = archive.readUInt32LE(at + 42)
    if (archive.readUInt32LE(local) !== localSignature) throw new Error('no entry')
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    if (archive.readUInt16LE(at + 10) === deflated && declared > 0)
      inflateRawSync(archive.subarray(from, from + packed), { maxOutputLength: declared })
    at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return true
}

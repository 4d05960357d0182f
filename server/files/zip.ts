/** Reads zip archives entry by entry, without unpacking more than is asked for. */
import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { SheetProblem } from './sheetLines.ts'
import { sliceSize, slicesOf } from './slices.ts'

const endSignature = Buffer.from([0x50, 0x4b, 5, 6])
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const methods = { stored: 0, deflated: 8 }
/** Bytes of the directory's end, and of the comment after it. */
const endSize = 22
const maxComment = 0xffff
/** Maximum entries: a workbook has some dozens. */
const maxEntries = 2000

export interface ZipEntry {
  readonly name: string
  /** Bytes that the archive says it unpacks to. */
  readonly size: number
  /** Unpacks it. Fails as soon as it has more than `size` bytes. */
  read(): AsyncIterable<Buffer>
}

/**
 * Returns the entries of an archive by name.
 * @throws SheetProblem if they claim to unpack to more than `maxBytes`, Error if it is not a valid archive.
 */
export function openZip(archive: Buffer, maxBytes: number): ReadonlyMap<string, ZipEntry> {
  const end = archive.lastIndexOf(endSignature)
  if (end < 0 || end < archive.length - endSize - maxComment) throw new Error('no archive')
  const count = archive.readUInt16LE(end + 10)
  if (count > maxEntries) throw new SheetProblem(tooLarge)
  let at = archive.readUInt32LE(end + 16)
  let total = 0
  const entries = new Map<string, ZipEntry>()
  for (let index = 0; index < count; index++) {
    if (archive.readUInt32LE(at) !== entrySignature) throw new Error('no entry')
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, nameEnd)
    const size = archive.readUInt32LE(at + 24)
    total += size
    if (total > maxBytes) throw new SheetProblem(tooLarge)
    const place = at
    entries.set(name, { name, size, read: () => unpack(archive, place, size) })
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

const tooLarge = 'The file is too large when unpacked'

/** Unpacks the entry whose record in the directory is at `place`. */
async function* unpack(archive: Buffer, place: number, size: number): AsyncIterable<Buffer> {
  const method = archive.readUInt16LE(place + 10)
  const local = archive.readUInt32LE(place + 42)
  if (archive.readUInt32LE(local) !== localSignature) throw new Error('no entry')
  const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const packed = archive.subarray(from, from + archive.readUInt32LE(place + 20))
  let left = size
  for await (const chunk of unpacked(method, packed)) {
    left -= chunk.length
    if (left < 0) throw new Error('a false size')
    yield chunk
  }
}

function unpacked(method: number, packed: Buffer): AsyncIterable<Buffer> {
  const bytes = Readable.from(slicesOf(packed, sliceSize))
  if (method === methods.stored) return bytes
  if (method !== methods.deflated) throw new Error('an unknown method')
  // An error ends the inflated stream, so that its reader gets it.
  return pipeline(bytes, createInflateRaw(), () => undefined)
}

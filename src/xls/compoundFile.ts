/** A compound file ([MS-CFB] version 3) with one stream in it: what an .xls file is wrapped in. */
import { createBytes, type Bytes } from './bytes.ts'

const sector = 512
/** Streams below this size would have to live in sectors of another kind. */
export const minStreamSize = 4096
const perSector = sector / 4
/** Places for the allocation table's sectors in the header. */
const inHeader = 109
const noSector = 0xffffffff
const endOfChain = 0xfffffffe
const ofTable = 0xfffffffd
const ofTableList = 0xfffffffc

/**
 * What stands before and after a stream of so many bytes, a multiple of 512 and at least `minStreamSize`. The stream's
 * own bytes need not be at hand.
 */
export function compoundFile(name: string, streamBytes: number) {
  const stream = streamBytes / sector
  // The table holds an entry for each sector, its own among them.
  let table = 0
  let lists = 0
  for (let needed = 1; needed > table; needed = Math.ceil((stream + 1 + lists + table) / perSector)) {
    table = needed
    lists = Math.ceil(Math.max(0, table - inHeader) / (perSector - 1))
  }
  const directory = stream
  const firstList = directory + 1
  const firstTable = firstList + lists

  const before = createBytes(sector)
  for (const byte of [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) before.u8(byte)
  before.zeros(16)
  // Version 3, little-endian, sectors of 2^9 bytes and small ones of 2^6.
  for (const value of [0x3e, 3, 0xfffe, 9, 6]) before.u16(value)
  before.zeros(10)
  before.u32(table)
  before.u32(directory)
  before.u32(0)
  before.u32(minStreamSize)
  before.u32(endOfChain)
  before.u32(0)
  before.u32(lists > 0 ? firstList : endOfChain)
  before.u32(lists)
  for (let at = 0; at < inHeader; at++) before.u32(at < table ? firstTable + at : noSector)

  const after = createBytes((1 + lists + table) * sector)
  addEntry(after, 'Root Entry', { kind: 5, child: 1, start: endOfChain, size: 0 })
  addEntry(after, name, { kind: 2, child: noSector, start: 0, size: streamBytes })
  addEntry(after, '', undefined)
  addEntry(after, '', undefined)
  for (let list = 0; list < lists; list++) {
    const from = inHeader + list * (perSector - 1)
    for (let at = from; at < from + perSector - 1; at++) after.u32(at < table ? firstTable + at : noSector)
    after.u32(list + 1 < lists ? firstList + list + 1 : endOfChain)
  }
  for (let at = 0; at < stream; at++) after.u32(at + 1 < stream ? at + 1 : endOfChain)
  after.u32(endOfChain)
  for (let at = 0; at < lists; at++) after.u32(ofTableList)
  for (let at = 0; at < table; at++) after.u32(ofTable)
  for (let at = stream + 1 + lists + table; at < table * perSector; at++) after.u32(noSector)
  return { before: before.taken(), after: after.taken() }
}

interface Entry {
  /** 5 the root, 2 a stream. */
  readonly kind: 2 | 5
  readonly child: number
  readonly start: number
  readonly size: number
}

/** An entry of the directory, 128 bytes; an empty one without `entry`. */
function addEntry(bytes: Bytes, name: string, entry: Entry | undefined): void {
  bytes.text(name, true)
  bytes.zeros(64 - name.length * 2)
  bytes.u16(entry ? (name.length + 1) * 2 : 0)
  bytes.u8(entry?.kind ?? 0)
  // Black, and no siblings.
  bytes.u8(entry ? 1 : 0)
  bytes.u32(noSector)
  bytes.u32(noSector)
  bytes.u32(entry?.child ?? noSector)
  bytes.zeros(36)
  bytes.u32(entry?.start ?? 0)
  bytes.u32(entry?.size ?? 0)
  bytes.u32(0)
}

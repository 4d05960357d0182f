/** Writes a compound file ([MS-CFB] version 3) with one stream, the container of an .xls workbook. */
import { createByteWriter, type ByteWriter } from './byteWriter.ts'

const sectorSize = 512
/** Bytes; smaller streams would have to be stored in the mini stream. */
export const minStreamSize = 4096
const entriesPerSector = sectorSize / 4
/** Allocation table sectors that the header itself can list. */
const headerEntries = 109
const noSector = 0xffffffff
const endOfChain = 0xfffffffe
const tableSector = 0xfffffffd
const tableListSector = 0xfffffffc

/**
 * Returns the bytes before and after a stream of `streamBytes` bytes, which must be a multiple of 512 and at least
 * `minStreamSize`. The stream's content is not needed.
 */
export function compoundFile(name: string, streamBytes: number) {
  const stream = streamBytes / sectorSize
  // The allocation table has an entry for each sector, including its own sectors.
  let table = 0
  let lists = 0
  for (let needed = 1; needed > table; needed = Math.ceil((stream + 1 + lists + table) / entriesPerSector)) {
    table = needed
    lists = Math.ceil(Math.max(0, table - headerEntries) / (entriesPerSector - 1))
  }
  const directory = stream
  const firstList = directory + 1
  const firstTable = firstList + lists

  const before = createByteWriter(sectorSize)
  for (const byte of [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) before.u8(byte)
  before.zeros(16)
  // Version 3, little-endian, sectors of 2^9 bytes, mini sectors of 2^6.
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
  for (let index = 0; index < headerEntries; index++) before.u32(index < table ? firstTable + index : noSector)

  const after = createByteWriter((1 + lists + table) * sectorSize)
  addEntry(after, 'Root Entry', { kind: 5, child: 1, start: endOfChain, size: 0 })
  addEntry(after, name, { kind: 2, child: noSector, start: 0, size: streamBytes })
  addEntry(after, '', undefined)
  addEntry(after, '', undefined)
  for (let list = 0; list < lists; list++) {
    const from = headerEntries + list * (entriesPerSector - 1)
    for (let index = from; index < from + entriesPerSector - 1; index++)
      after.u32(index < table ? firstTable + index : noSector)
    after.u32(list + 1 < lists ? firstList + list + 1 : endOfChain)
  }
  for (let index = 0; index < stream; index++) after.u32(index + 1 < stream ? index + 1 : endOfChain)
  after.u32(endOfChain)
  for (let index = 0; index < lists; index++) after.u32(tableListSector)
  for (let index = 0; index < table; index++) after.u32(tableSector)
  for (let index = stream + 1 + lists + table; index < table * entriesPerSector; index++) after.u32(noSector)
  return { before: before.toBytes(), after: after.toBytes() }
}

interface Entry {
  /** 5: root storage, 2: stream. */
  readonly kind: 2 | 5
  readonly child: number
  readonly start: number
  readonly size: number
}

/** Writes a directory entry of 128 bytes; an unused one if `entry` is undefined. */
function addEntry(bytes: ByteWriter, name: string, entry: Entry | undefined): void {
  bytes.text(name, true)
  bytes.zeros(64 - name.length * 2)
  bytes.u16(entry ? (name.length + 1) * 2 : 0)
  bytes.u8(entry?.kind ?? 0)
  // A black tree node without siblings.
  bytes.u8(entry ? 1 : 0)
  bytes.u32(noSector)
  bytes.u32(noSector)
  bytes.u32(entry?.child ?? noSector)
  bytes.zeros(36)
  bytes.u32(entry?.start ?? 0)
  bytes.u32(entry?.size ?? 0)
  bytes.u32(0)
}

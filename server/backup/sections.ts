/** Reads the sections of a backup: lines, and the rows between two of them. */
import * as z from 'zod/mini'
import { parseJson } from '../../src/domain/lib/parseJson.ts'
import { endOfRows } from './format.ts'

/** The file is not a complete backup. The message is a predicate without its subject: `is damaged`, `is cut short`. */
export class DamagedBackup extends Error {}

/** Maximum bytes of a line of JSON. */
const maxLineBytes = 16 * 1024 * 1024
const newline = '\n'.charCodeAt(0)
const endMark = Buffer.from(`\n${endOfRows}`)

export interface Sections {
  /** Returns the next line. @throws DamagedBackup if it is not JSON of this schema. */
  line<Schema extends z.core.$ZodType>(schema: Schema): Promise<z.output<Schema>>
  /** Yields the rows up to their end, which must be read before the next line. */
  rows(): AsyncGenerator<Buffer>
  /** @throws DamagedBackup unless nothing is left. */
  end(): Promise<void>
}

export function readSections(chunks: AsyncIterable<Buffer>): Sections {
  const source = chunks[Symbol.asyncIterator]()
  let buffer: Buffer = Buffer.alloc(0)

  /** Appends the next chunk; returns false at the end. */
  const readChunk = async (): Promise<boolean> => {
    const { done, value } = await source.next()
    if (done === true) return false
    buffer = buffer.length === 0 ? value : Buffer.concat([buffer, value])
    return true
  }
  const take = (length: number): Buffer => {
    const taken = buffer.subarray(0, length)
    buffer = buffer.subarray(length)
    return taken
  }
  const nextLine = async (): Promise<string> => {
    for (;;) {
      const end = buffer.indexOf(newline)
      if (end >= 0) return take(end + 1).toString()
      if (buffer.length > maxLineBytes) throw new DamagedBackup('is damaged')
      if (!(await readChunk())) throw new DamagedBackup('is cut short')
    }
  }

  return {
    line: async schema => {
      const parsed = z.safeParse(schema, parseJson(await nextLine()))
      if (!parsed.success) throw new DamagedBackup('is damaged')
      return parsed.data
    },
    async *rows() {
      // The mark begins with the end of a line, and there may be no row before it.
      buffer = Buffer.concat([Buffer.from('\n'), buffer])
      let isFirst = true
      for (;;) {
        const end = buffer.indexOf(endMark)
        // If the mark is not in the buffer, its last bytes may be the start of the mark, so they stay.
        const length = end >= 0 ? end + 1 : Math.max(0, buffer.length - endMark.length + 1)
        if (length > 0) {
          const taken = take(length)
          const rows = isFirst ? taken.subarray(1) : taken
          isFirst = false
          if (rows.length > 0) yield rows
        }
        if (end >= 0) {
          take(endOfRows.length)
          return
        }
        if (!(await readChunk())) throw new DamagedBackup('is cut short')
      }
    },
    end: async () => {
      if (buffer.length > 0 || (await readChunk())) throw new DamagedBackup('is damaged')
    },
  }
}

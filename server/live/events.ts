/** Events as they go over the wire. */
import type { StreamEvents } from '../../src/api/contract/stream.ts'

/** One server-sent event. */
export const eventText = <Name extends keyof StreamEvents>(event: Name, data: StreamEvents[Name]): Buffer =>
  Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

/**
 * The event of rows that are JSON already. A line each: whoever reads it piece by piece need not go through what it
 * had again, as with one line of megabytes.
 */
export const devicesText = (rows: readonly string[]): Buffer =>
  Buffer.from(`event: devices\ndata: {"devices":[\n${rows.map(row => `data: ${row}`).join(',\n')}\ndata: ]}\n\n`)

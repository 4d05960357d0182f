/** Encodes events of the live streams. */
import type { StreamEvents } from '../../src/api/contract/stream.ts'

/** Returns a server-sent event. */
export const encodeEvent = <Name extends keyof StreamEvents>(event: Name, data: StreamEvents[Name]): Buffer =>
  Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

/**
 * Returns a `devices` event of rows that are already JSON. Each row is a line of its own, so that a client can parse
 * the stream incrementally instead of rescanning one line of megabytes.
 */
export const devicesEvent = (rows: readonly string[]): Buffer =>
  Buffer.from(`event: devices\ndata: {"devices":[\n${rows.map(row => `data: ${row}`).join(',\n')}\ndata: ]}\n\n`)

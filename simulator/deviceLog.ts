/** The simulator's own log: what each device really did, whatever the server believes. */
import { createWriteStream, readFileSync } from 'node:fs'
import { once } from 'node:events'
import type { DeviceCommand } from '../server/protocol/commands.ts'

/** Something that a device did, apart from its readings. */
export type DeviceEvent = ConnectionEvent | CommandEvent

interface ConnectionEvent {
  /** ISO 8601. */
  readonly at: string
  readonly bssid: string
  /** `connected`: it is connected and subscribed. `slept`: it disconnected to sleep. */
  readonly did: 'connected' | 'slept'
}

export interface CommandEvent {
  /** ISO 8601. */
  readonly at: string
  readonly bssid: string
  /** The id of the command. */
  readonly id: string
  readonly command: DeviceCommand
  /**
   * `executed` or `refused`: each id once. `repeated`: it received an id again and did nothing. `expired`: it received the
   * command too late and did nothing. `installed` or `failed`: the end of a firmware update that it has executed.
   */
  readonly did: 'executed' | 'refused' | 'repeated' | 'expired' | 'installed' | 'failed'
  /** Why it refused the command. */
  readonly reason?: string
}

/** Receives what devices do. */
export type RecordEvent = (event: DeviceEvent) => void

export interface DeviceLogFile {
  readonly record: RecordEvent
  /** Resolves once all events are written. */
  close(): Promise<void>
}

/** Opens a log of JSON Lines. An existing one is continued. Rejects if the file cannot be written. */
export async function openDeviceLog(path: string): Promise<DeviceLogFile> {
  const stream = createWriteStream(path, { flags: 'a' })
  await once(stream, 'open')
  return {
    record: event => void stream.write(`${JSON.stringify(event)}\n`),
    close: async () => {
      stream.end()
      await once(stream, 'close')
    },
  }
}

/** Returns the events in a log. Of a log that is being written, a last line without its end is left out. */
export const readDeviceLog = (path: string): DeviceEvent[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as DeviceEvent)

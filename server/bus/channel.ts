/** A channel carries the payloads of events between processes: PostgreSQL's NOTIFY or NATS. */

/** An open connection of a channel. */
export interface Connection {
  /** Maximum bytes of a payload. */
  readonly maxPayloadBytes: number
  /** Sends payloads to all other processes; resolves once the other end has them, and rejects if they may be lost. */
  send(payloads: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface ChannelEvents {
  /** Called with each payload of another process. */
  readonly onPayload: (payload: string) => void
  /** Called once, when the connection has broken. */
  readonly onLost: (error: unknown) => void
}

export interface Channel {
  /** What it connects to, for the log. */
  readonly target: string
  /**
   * Minimum milliseconds between two messages of what changes all the time: devices that send readings, and progress. Only
   * the last state of each is sent.
   */
  readonly hotInterval: number
  /** Connects, and receives from then on. Rejects if it cannot. */
  connect(events: ChannelEvents): Promise<Connection>
}

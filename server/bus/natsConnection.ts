/** Connections to NATS. */
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node'
import type { NatsAddress } from '../core/natsUrl.ts'

/** Milliseconds until a connection attempt fails. */
const connectionTimeout = 10_000
/** Milliseconds between two pings, and how many may be unanswered: a NATS that is silent counts as away after 15 seconds. */
const pingInterval = 5_000
const maxPingOut = 2

/** Connects to NATS; rejects if it cannot be reached or refuses the login. */
export const connectNats = (
  { servers, isTls, login }: NatsAddress,
  options: ConnectionOptions,
): Promise<NatsConnection> =>
  connect({
    servers: [...servers],
    name: 'permeate',
    timeout: connectionTimeout,
    pingInterval,
    maxPingOut,
    ...(isTls && { tls: {} }),
    ...login,
    ...options,
  })

/** The channel over NATS, without JetStream: docs/decisions/nats-without-jetstream.md. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { ConfigError } from '../core/config.ts'
import type { Channel } from './channel.ts'
import type { NatsAddress } from '../core/natsUrl.ts'
import { connectNats } from './natsConnection.ts'

/** Maximum bytes of a payload where NATS allows more, so that no message keeps the others waiting. */
const maxPayloadBytes = 65_536
/** NATS orders no transactions, so what changes all the time goes as soon as the rest. */
const hotInterval = 0

/**
 * Returns the channel of a subject.
 * @throws ConfigError while connecting, if NATS cannot be reached or refuses the login or the subject. The message has no
 * secrets.
 */
export function natsChannel(address: NatsAddress, subject: string): Channel {
  return {
    target: 'NATS',
    hotInterval,
    connect: async ({ onPayload, onLost }) => {
      let nats: NatsConnection | undefined
      let flush: () => Promise<void>
      const errors: Error[] = []
      try {
        nats = await connectNats(address, {
          // The bus connects again by itself, as with PostgreSQL.
          reconnect: false,
          // Events of this process were already delivered locally.
          noEcho: true,
        })
        flush = flushOf(nats)
        void followErrors(nats, error => errors.push(error))
        nats.subscribe(subject, {
          callback: (error, message) => {
            if (error) errors.push(error)
            else onPayload(message.string())
          },
        })
        // Ignored by the others. NATS says only after the fact that a user may not publish.
        nats.publish(subject)
        await flush()
        // Errors that came before the flush are handed over a moment later.
        await nextTurn()
        if (errors[0]) throw errors[0]
      } catch (error) {
        await nats?.close()
        const { message } = errors[0] ?? (error as Error)
        throw new ConfigError(`NATS_URL: ${address.servers.join(', ')} cannot be used: ${message}`)
      }
      const opened = nats
      let isClosed = false
      void opened.closed().then(error => {
        if (!isClosed) onLost(errors[0] ?? error ?? new Error('It was closed'))
      })
      return {
        get maxPayloadBytes() {
          return Math.min(opened.info?.max_payload ?? maxPayloadBytes, maxPayloadBytes)
        },
        send: async payloads => {
          for (const payload of payloads) opened.publish(subject, payload)
          await flush()
        },
        close: async () => {
          isClosed = true
          await opened.close()
        },
      }
    },
  }
}

/**
 * Returns a function that resolves once NATS has all that was published before, and rejects when the connection is closed
 * first: the client's own `flush` then never settles.
 */
function flushOf(nats: NatsConnection): () => Promise<void> {
  const waiting = new Set<(error: Error) => void>()
  void nats.closed().then(error => {
    for (const reject of waiting) reject(error ?? new Error('It was closed'))
  })
  return () =>
    new Promise((resolve, reject) => {
      waiting.add(reject)
      nats
        .flush()
        .then(resolve, reject)
        .finally(() => waiting.delete(reject))
    })
}

/** Reports errors of NATS, such as a revoked permission, and closes the connection after one. */
async function followErrors(nats: NatsConnection, onError: (error: Error) => void): Promise<void> {
  for await (const status of nats.status()) {
    if (status.type !== 'error') continue
    onError(status.error)
    // Not awaited: closing waits for the end of this loop.
    void nats.close()
  }
}

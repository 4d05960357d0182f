/**
 * Letters from one process to another over NATS. Unlike an event, a letter has one receiver, who says when it has handled it.
 * For what does not go through the database: readings.
 */
import { TimeoutError, type Msg } from '@nats-io/transport-node'
import { readNatsUrl } from '../core/natsUrl.ts'
import { identityOf } from './identity.ts'
import { connectNats } from './natsConnection.ts'

/** Milliseconds in which a letter is answered. Longer than a busy server takes to store what waits. */
const answerTimeout = 5_000
/** Milliseconds between two attempts to connect again. */
const reconnectDelay = 1_000

/**
 * The outcome of a letter: handled; failed, also if nobody listens to the name or NATS is away; or unanswered, which may have
 * been handled.
 */
export type Delivery = 'handled' | 'failed' | 'unanswered'

export interface Post {
  /** Sends a letter to the process that listens by this name. Never rejects. */
  send(name: string, letter: Uint8Array): Promise<Delivery>
  /**
   * Passes letters to this name to `handle`, which resolves once the letter is handled. Returns the function that stops it
   * and resolves once all letters that have arrived are answered.
   */
  listen(name: string, handle: (letter: Uint8Array) => Promise<void>): () => Promise<void>
  close(): Promise<void>
}

interface PostOptions {
  readonly databaseUrl: string
  readonly natsUrl: string
  /** Milliseconds; overridden in tests. */
  readonly timeout?: number
}

/** Connects to NATS, and again whenever the connection breaks. Rejects if the first attempt fails. */
export async function openPost({ databaseUrl, natsUrl, timeout = answerTimeout }: PostOptions): Promise<Post> {
  const subject = `permeate.${await identityOf({ connectionString: databaseUrl })}`
  const subjectOf = (name: string) => `${subject}.to.${name}`
  const nats = await connectNats(readNatsUrl(natsUrl)!, {
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectDelay,
    // A subject to which the login may subscribe.
    inboxPrefix: `${subject}.answers`,
    // Otherwise NATS records the stack of each request.
    noAsyncTraces: true,
  })
  let isConnected = true
  const followStatus = async () => {
    for await (const { type } of nats.status()) {
      if (type === 'disconnect') isConnected = false
      if (type === 'reconnect') isConnected = true
    }
  }
  void followStatus()

  return {
    send: async (name, letter) => {
      // A queued letter would be sent after its sender has stopped waiting.
      if (!isConnected) return 'failed'
      try {
        const answer = await nats.request(subjectOf(name), letter, { timeout })
        return answer.string() === ('handled' satisfies Delivery) ? 'handled' : 'failed'
      } catch (error) {
        return error instanceof TimeoutError && isConnected ? 'unanswered' : 'failed'
      }
    },
    listen: (name, handle) => {
      const running = new Set<Promise<void>>()
      const answer = async (letter: Msg) => {
        let outcome: Delivery = 'handled'
        try {
          await handle(letter.data)
        } catch {
          outcome = 'failed'
        }
        if (!nats.isClosed()) letter.respond(outcome)
      }
      const subscription = nats.subscribe(subjectOf(name), {
        callback: (error, letter) => {
          if (error) return
          const answered = answer(letter)
          running.add(answered)
          void answered.finally(() => running.delete(answered))
        },
      })
      return async () => {
        await subscription.drain().catch(() => undefined)
        await Promise.all(running)
      }
    },
    close: () => nats.close(),
  }
}

/** The turns of calls: each waits in the queue of its kind before its body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { resourceOf } from '../../src/api/contract/address.ts'
import { isDryRun } from '../bus/audited.ts'
import { HttpError } from '../core/errors.ts'
import type { WorkQueue } from '../core/workQueue.ts'
import { diskFull } from '../db/state.ts'
import type { Services } from '../endpoints/handler.ts'
import { kindOf, turnOf, type Queues } from './queues.ts'

/**
 * Refuses changes while the disk is full. Sessions can be begun and renewed in the reserve for some time, so that people
 * can read on.
 */
export function refuseWithoutRoom(endpoint: Endpoint, { query }: FastifyRequest, { database }: Services): void {
  if (endpoint.method === 'GET' || isDryRun(endpoint, query)) return
  if (resourceOf(endpoint.path) === 'auth' ? database.isAlmostEmpty : database.isFull) throw diskFull
}

const clientGone = () => new HttpError(499, 'The client has closed the connection')

/** Waits until the call may be read and handled. Its place is given back when it is handled, or its client is gone. */
export async function takeTurn(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  queues: Queues,
): Promise<void> {
  // It went while it was found out who calls: there is no event any more that would give the place back.
  if (reply.raw.destroyed) throw clientGone()
  const gone = new AbortController()
  reply.raw.once('close', () => {
    gone.abort(clientGone())
    request.slot?.release()
  })
  const slot = await queues[kindOf(endpoint, request.query)].enter(turnOf(request), gone.signal)
  // The client may have gone between the turn and this line.
  if (gone.signal.aborted) {
    slot.release()
    gone.signal.throwIfAborted()
  }
  request.slot = slot
}

/** Runs the work of a call in its slot: a client that goes away does not end the work, and so does not free the slot. */
export async function keepingSlot<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
  const { slot } = request
  request.slot = null
  try {
    return await work()
  } finally {
    slot?.release()
  }
}

/** Runs the work when it is its turn in the queue. */
export async function inTurn<Result>(queue: WorkQueue, turn: string, work: () => Promise<Result>): Promise<Result> {
  const slot = await queue.enter(turn)
  try {
    return await work()
  } finally {
    slot.release()
  }
}

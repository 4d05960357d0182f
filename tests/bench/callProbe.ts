/** Calls the server again and again in a thread of its own, so that what the bench does beside it does not count. */
import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as wait } from 'node:timers/promises'

/** A call that is repeated. */
export interface ProbedCall {
  readonly name: string
  readonly method: string
  readonly url: string
  /** Bodies that it sends in turn, as JSON. */
  readonly bodies?: readonly string[]
}
export interface ProbeOptions {
  readonly token: string
  readonly calls: readonly ProbedCall[]
}
/** Milliseconds of each call, and how many were answered with which status. */
export interface Probed {
  readonly name: string
  readonly times: readonly number[]
  readonly statuses: Readonly<Record<string, number>>
}

/** Milliseconds between the end of a call and the next of its kind. */
const pause = 20

const { token, calls } = workerData as ProbeOptions
let stopped = false
parentPort?.once('message', () => {
  stopped = true
})

async function callAgain({ name, method, url, bodies }: ProbedCall): Promise<Probed> {
  const times: number[] = []
  const statuses: Record<string, number> = {}
  for (let turn = 0; !stopped; turn++) {
    const body = bodies?.[turn % bodies.length]
    const headers = { 'access-token': token, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const started = performance.now()
    const status = await fetch(url, { method, headers, ...(body !== undefined && { body }) }).then(
      async answer => {
        await answer.arrayBuffer()
        return String(answer.status)
      },
      () => 'no answer',
    )
    times.push(performance.now() - started)
    statuses[status] = (statuses[status] ?? 0) + 1
    await wait(pause)
  }
  return { name, times, statuses }
}

parentPort?.postMessage((await Promise.all(calls.map(callAgain))) satisfies Probed[])

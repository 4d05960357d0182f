/** Batches many small database requests into few statements, and much work into small pieces. */
import { setImmediate as otherWork } from 'node:timers/promises'

/** Items that are mapped at once. */
const sliceSize = 500

/** Maps items like `map`, in slices between which the server handles other calls. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += sliceSize) {
    if (from > 0) await otherWork()
    for (const [at, item] of items.slice(from, from + sliceSize).entries()) results.push(map(item, from + at))
  }
  return results
}

/** Maps items like `flatMap`, one at a time as the results are read, so that they are not all in memory at once. */
export function* flatMapLazily<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Iterable<Result>,
): Generator<Result, void> {
  for (const item of items) yield* map(item)
}

/**
 * Returns a function that collects requests and passes them to `work` in batches, one after the other. Requests gather
 * while a batch runs, so batches grow with the load and a single request does not wait. `work` returns responses in the
 * order of the requests; if it throws, all requests of the batch reject.
 */
export function batched<Request, Response>(
  work: (requests: readonly Request[]) => Promise<readonly Response[]>,
  maxBatchSize = 1000,
): (request: Request) => Promise<Response> {
  interface Pending {
    readonly request: Request
    readonly resolve: (response: Response) => void
    readonly reject: (error: unknown) => void
  }
  let pending: Pending[] = []
  let running = false

  const run = async () => {
    running = true
    // Requests of the same event-loop turn share a batch.
    await new Promise(setImmediate)
    while (pending.length > 0) {
      const batch = pending.splice(0, maxBatchSize)
      try {
        const responses = await work(batch.map(({ request }) => request))
        for (const [index, { resolve }] of batch.entries()) resolve(responses[index]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running = false
  }
  return request =>
    new Promise((resolve, reject) => {
      pending.push({ request, resolve, reject })
      if (!running) void run()
    })
}

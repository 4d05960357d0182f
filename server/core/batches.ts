/** Helpers for many items: map them without blocking other calls or filling memory, and combine single requests into batches. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How many items are mapped before other calls get a turn. */
const sliceSize = 500

/** Maps items like `map`, in slices between which the server handles other calls. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    if (results.length > 0 && results.length % sliceSize === 0) await nextTurn()
    results.push(map(item))
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
 * Returns a function that collects requests and passes them to `work` in batches of at most `maxBatchSize`, one after the
 * other. Requests that come while a batch runs form the next ones, so batches grow with the load; one that comes while none
 * runs is sent in the next turn of the event loop. `work` returns outputs in the order of the inputs; if it throws, all
 * requests of the batch reject.
 */
export function batched<Input, Output>(
  work: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  maxBatchSize = 1000,
): (input: Input) => Promise<Output> {
  interface Pending {
    readonly input: Input
    readonly resolve: (output: Output) => void
    readonly reject: (error: unknown) => void
  }
  let pending: Pending[] = []
  let isRunning = false

  const run = async () => {
    isRunning = true
    // Requests of the same event-loop turn share a batch.
    await nextTurn()
    while (pending.length > 0) {
      const batch = pending.splice(0, maxBatchSize)
      try {
        const outputs = await work(batch.map(({ input }) => input))
        for (const [index, { resolve }] of batch.entries()) resolve(outputs[index]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isRunning = false
  }
  return input =>
    new Promise((resolve, reject) => {
      pending.push({ input, resolve, reject })
      if (!isRunning) void run()
    })
}

/** Batches many small database requests into few statements. */

/**
 * Returns a function that collects requests and passes them to `work` in batches, one after the other. Requests gather
 * while a batch runs, so batches grow with the load and a single request does not wait. `work` returns responses in the
 * order of the requests; if it throws, all requests of the batch reject.
 */
export function batched<Request, Response>(
  work: (request: readonly Request[]) => Promise<readonly Response[]>,
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

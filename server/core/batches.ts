/** Many small questions to the database as few statements. */

/**
 * Does `work` for all that was asked for meanwhile, `most` at a time, and one batch after the other: while one is under
 * way the next gathers, so batches grow with the load and a single question waits for nothing. `work` answers in the
 * order asked; where it throws, all of its batch fail.
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
    // What comes in the same turn of the event loop belongs together.
    await new Promise(setImmediate)
    while (pending.length > 0) {
      const batch = pending.splice(0, maxBatchSize)
      try {
        const responses = await work(batch.map(({ request }) => request))
        for (const [at, { resolve }] of batch.entries()) resolve(responses[at]!)
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

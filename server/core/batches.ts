/** Many small questions to the database as few statements. */

/**
 * Does `work` for all that was asked for meanwhile, `most` at a time, and one batch after the other: while one is under
 * way the next gathers, so batches grow with the load and a single question waits for nothing. `work` answers in the
 * order asked; where it throws, all of its batch fail.
 */
export function inBatches<Asked, Answer>(
  work: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
  most = 1000,
): (asked: Asked) => Promise<Answer> {
  interface Waiting {
    readonly asked: Asked
    readonly resolve: (answer: Answer) => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  let running = false

  const run = async () => {
    running = true
    // What comes in the same turn of the event loop belongs together.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most)
      try {
        const answers = await work(batch.map(({ asked }) => asked))
        for (const [at, { resolve }] of batch.entries()) resolve(answers[at]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running = false
  }
  return asked =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
      if (!running) void run()
    })
}

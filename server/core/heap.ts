/**
 * Makes the process collect garbage sooner, when imported. By default V8 lets a heap of this size grow to a multiple of what
 * is in use before it collects. The limit of the space for new objects, `--max-semi-space-size`, stands on the command line
 * of `npm start`, the image and the service, because V8 reads it only when a process starts: without it that space grows to
 * 128 MB during an upload of 50,000 rows.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * The heap may grow by this share of what was in use after the last collection. Beside thousands of readings a second, whose
 * messages wait for their batch and so outlive the space for new objects, a third of the server's time went into
 * collections with 20 %.
 */
setFlagsFromString('--heap-growing-percent=50')

/** Milliseconds from the start until it has ended for sure. */
const startTime = 30_000

/** Collects once what only the start has used, which an idle server would keep: it makes too little garbage for V8 to. */
export function collectAfterStart(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setTimeout(collect, startTime).unref()
}

/**
 * Makes the process collect garbage sooner. By default V8 lets a heap of this size grow to a multiple of what is in use before
 * it collects. The limit of the space for new objects, `--max-semi-space-size`, stands on the command line of `npm start`, the
 * image and the service, because V8 reads it only when a process starts: without it that space grows to 128 MB during an
 * upload of 50,000 rows.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Limits the heap's growth to this share of what was in use after the last collection. Beside thousands of readings a second,
 * whose messages wait for their batch and so outlive the space for new objects, a third of the server's time went into
 * collections with 20 %.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void
let planned: NodeJS.Timeout | undefined

/**
 * Collects once, after a delay in milliseconds, what work that has ended has used: an idle server makes too little garbage for
 * V8 to collect by itself. Of the flavors only the last resort returns the pages to the system: after uploads of 100,000 rows
 * an ordinary collection left 131 MB, this one 10. It stops the server for up to 0.1 s. A collection that is already planned
 * is not postponed.
 */
export function collectLater(delay: number): void {
  planned ??= setTimeout(() => {
    planned = undefined
    collect({ type: 'major', flavor: 'last-resort' })
  }, delay).unref()
}

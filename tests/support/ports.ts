import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems choose for outgoing connections and for port 0 (Linux: from 32768). */
const [first, last] = [10_000, 32_000]
let next = first + Math.floor(Math.random() * (last - first))

/**
 * A port of the loopback address that nothing listens on. No other program takes it by chance until a test listens on
 * it, unlike a port that the system chose.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    next = next < last ? next + 1 : first
    // Another call may go on to the next port meanwhile.
    const port = next
    const probe = createServer().listen(port, '127.0.0.1')
    try {
      await once(probe, 'listening')
    } catch {
      continue
    }
    probe.close()
    await once(probe, 'close')
    return port
  }
}

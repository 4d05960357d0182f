/** Whether the server answers, and whether it tells of changes by itself. */
import { proxy } from 'valtio'

/** How what is on screen keeps up with the server. */
export type Liveness = 'stream' | 'polling' | 'offline'

export const connection = proxy({
  online: true,
  streaming: false,
  get live(): Liveness {
    if (this.streaming) return 'stream'
    return this.online ? 'polling' : 'offline'
  },
})

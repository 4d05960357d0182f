/** The state of the connection to the server. */
import { proxy } from 'valtio'

/** How the screen is kept up to date. */
export type Liveness = 'stream' | 'polling' | 'offline'

export const connection = proxy({
  online: true,
  streaming: false,
  get live(): Liveness {
    if (this.streaming) return 'stream'
    return this.online ? 'polling' : 'offline'
  },
})

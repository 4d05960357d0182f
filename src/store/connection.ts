/** The state of the connection to the server. */
import { proxy } from 'valtio'

/** How the screen is kept up to date. */
export type Liveness = 'stream' | 'polling' | 'offline'

export const connection = proxy({
  online: true,
  streaming: false,
  /** Whether the stream has been opened, or could not be: what is read from now on misses no change. */
  attempted: false,
  /** Whether the last token refresh had no answer, so that no call can succeed. */
  refreshUnanswered: false,
  /** Whether a refused token refresh has ended the session, which the login screen explains. */
  sessionEnded: false,
  get live(): Liveness {
    if (this.refreshUnanswered) return 'offline'
    if (this.streaming) return 'stream'
    return this.online ? 'polling' : 'offline'
  },
})

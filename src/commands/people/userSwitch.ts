/** Detects that another person has signed in in another tab of this browser. */
import { subscribe } from 'valtio/vanilla'
import { owner, session } from '../../store/session.ts'
import { resetUserState } from './session.ts'

/** Subscribes to the session, and resets the previous person's state when another person's session replaces it. */
export function resetOnUserSwitch(): void {
  subscribe(session, () => {
    if (session.userId === null || session.userId === owner.id) return
    const previous = owner.id
    owner.id = session.userId
    if (previous === null) return
    resetUserState({ reload: true })
  })
}

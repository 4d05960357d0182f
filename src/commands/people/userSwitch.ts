/** A session that another person has begun in another tab: what the one before searched for and selected is not theirs. */
import { subscribe } from 'valtio/vanilla'
import { closeOverlays } from '../../store/overlays.ts'
import { owner, session } from '../../store/session.ts'
import { resetUserState } from './session.ts'

/** From now on, whoever takes over starts with nothing of the one before. */
export function onUserSwitch(): void {
  subscribe(session, () => {
    if (session.userId === null || session.userId === owner.id) return
    const before = owner.id
    owner.id = session.userId
    if (before === null) return
    closeOverlays()
    resetUserState()
  })
}

/** Keeps the commands of the scripts of whoever is signed in. */
import { subscribe } from 'valtio/vanilla'
import { scripts, showScripts } from '../../store/scripts.ts'
import { session, signedInRole } from '../../store/session.ts'
import { register, unregister } from '../core/registry.ts'
import { followRecording } from './record.ts'
import { keepLeft, scriptRuns } from './running.ts'
import { commandFrom, commandIdOf } from './scriptCommand.ts'

let shown: ReadonlySet<string> = new Set()

/** Called once, when all commands are there. */
export function followScripts(): void {
  const signedIn = () => (signedInRole() ? (session.userId ?? undefined) : undefined)
  let user = signedIn()
  subscribe(scripts, () => {
    if (shown.size > 0) unregister(shown)
    register(scripts.list.map(commandFrom))
    shown = new Set(scripts.list.map(commandIdOf))
  })
  subscribe(session, () => {
    if (signedIn() === user) return
    user = signedIn()
    // What one person began is not to go on as another.
    scriptRuns.running?.abort()
    keepLeft(undefined)
    void showScripts(user)
  })
  followRecording()
  void showScripts(user)
}

/** Registers the scripts of the signed-in account as commands. */
import { subscribe } from 'valtio/vanilla'
import { scripts, loadScripts } from '../../store/scripts/scripts.ts'
import { session, signedInRole } from '../../store/session.ts'
import { register, unregister } from '../core/registry.ts'
import { startRecorder } from './recorder.ts'
import { scriptRuns, setStopped } from './running.ts'
import { commandFrom, commandIdOf } from './scriptCommand.ts'

let registered: ReadonlySet<string> = new Set()

/** Keeps the script commands up to date with the stored scripts, and starts the recorder. Called once. */
export function syncScriptCommands(): void {
  const signedIn = () => (signedInRole() ? (session.userId ?? undefined) : undefined)
  let user = signedIn()
  subscribe(scripts, () => {
    if (registered.size > 0) unregister(registered)
    register(scripts.list.map(commandFrom))
    registered = new Set(scripts.list.map(commandIdOf))
  })
  subscribe(session, () => {
    if (signedIn() === user) return
    user = signedIn()
    // A script that one person started must not continue as another.
    scriptRuns.running?.abort()
    setStopped(undefined)
    void loadScripts(user)
  })
  startRecorder()
  void loadScripts(user)
}

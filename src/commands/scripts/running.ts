/** The running script, and the last one that stopped before its end. */
import { proxy, ref } from 'valtio'
import type { SavedScriptInvocation } from '../core/scriptInvocation.ts'

interface Runs {
  /** Stops the running script. Only one runs at a time, because scripts change the selection. */
  running: AbortController | undefined
  /** The remaining steps of a script that stopped, for continuing it. */
  stopped: SavedScriptInvocation | undefined
}
export const scriptRuns = proxy<Runs>({ running: undefined, stopped: undefined })

export function setStopped(stopped: SavedScriptInvocation | undefined): void {
  scriptRuns.stopped = stopped && ref(stopped)
}
export function setRunning(running: AbortController | undefined): void {
  scriptRuns.running = running && ref(running)
}

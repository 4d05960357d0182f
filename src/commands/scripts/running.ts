/** The script that runs, and the one that stopped on its way. */
import { proxy, ref } from 'valtio'
import type { SavedScriptInvocation } from '../core/scriptInvocation.ts'

interface Runs {
  /** What stops the one that runs; one at a time, because each selects what it acts on. */
  running: AbortController | undefined
  /** What is left of one that did not come to its end. */
  left: SavedScriptInvocation | undefined
}
export const scriptRuns = proxy<Runs>({ running: undefined, left: undefined })

export function keepLeft(left: SavedScriptInvocation | undefined): void {
  scriptRuns.left = left && ref(left)
}
export function setRunning(running: AbortController | undefined): void {
  scriptRuns.running = running && ref(running)
}

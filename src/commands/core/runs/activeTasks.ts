/** What takes its time and is not a job: rows that are read, a file that is made. Newest last. */
import { proxy } from 'valtio'

export interface UnderWay {
  readonly title: string
  readonly cancel: AbortController
}

const all = new Set<UnderWay>()
/** Counts what begins and ends. */
export const underWay = proxy({ version: 0 })

/** It begins; returns what to call at its end. */
export function beginsUnderWay(one: UnderWay): () => void {
  all.add(one)
  underWay.version++
  return () => {
    all.delete(one)
    underWay.version++
  }
}

export const newestUnderWay = (): UnderWay | undefined => [...all].findLast(({ cancel }) => !cancel.signal.aborted)

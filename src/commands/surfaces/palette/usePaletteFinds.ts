/** What the server finds while one types in the palette: asked for after a pause, and no longer once it is stale. */
import { useEffect, useState } from 'react'

/** Milliseconds of quiet before the server is asked. */
export const quiet = 120

export interface Finds<Thing> {
  readonly found: readonly Thing[]
  /** `asking` from the first key on, also before the server is asked. */
  readonly state: 'settled' | 'asking' | 'failed'
}
interface Answer<Thing> {
  readonly text: string
  readonly found: readonly Thing[]
  readonly failed: boolean
}

/**
 * What `find` finds for a text; nothing where there is no text. Until the answer is there, of the one before stays what
 * fits: Enter must never take what does not.
 */
export function useFinds<Thing>(
  text: string | undefined,
  find: (text: string, signal: AbortSignal) => Promise<readonly Thing[]>,
  wordsOf: (thing: Thing) => string,
): Finds<Thing> {
  const [answer, setAnswer] = useState<Answer<Thing>>()
  useEffect(() => {
    if (text === undefined) return undefined
    const stale = new AbortController()
    const settle = (found: readonly Thing[], failed: boolean) => {
      if (!stale.signal.aborted) setAnswer({ text, found, failed })
    }
    const waiting = setTimeout(() => {
      find(text, stale.signal).then(
        found => settle(found, false),
        () => settle([], true),
      )
    }, quiet)
    return () => {
      clearTimeout(waiting)
      stale.abort()
    }
  }, [text, find])
  if (text === undefined) return { found: [], state: 'settled' }
  if (answer?.text !== text) {
    const wanted = text.trim().toLowerCase()
    const fitting = (answer?.found ?? []).filter(thing => wordsOf(thing).toLowerCase().includes(wanted))
    return { found: fitting, state: 'asking' }
  }
  return { found: answer.found, state: answer.failed ? 'failed' : 'settled' }
}

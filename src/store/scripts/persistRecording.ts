/** Stores the recording of this tab, so that it survives a reload but not closing the tab. */
import { ref } from 'valtio'
import { subscribe } from 'valtio/vanilla'
import * as z from 'zod/mini'
import { recording } from './recording.ts'
import { Script } from './scripts.ts'
import { session } from '../session.ts'

const storageKey = 'permeate:recording'
const Stored = z.object({ user: z.string(), steps: z.array(Script.shape.steps.def.element) })

/** Restores the recording if the same account made it, and stores each further step. */
export function persistRecording(): void {
  try {
    const stored = z.safeParse(Stored, JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')).data
    if (stored && stored.user === session.userId) recording.steps = ref(stored.steps)
  } catch {
    // Without readable storage there is no recording to restore.
  }
  subscribe(recording, () => {
    try {
      const { steps } = recording
      if (steps) sessionStorage.setItem(storageKey, JSON.stringify({ user: session.userId, steps }))
      else sessionStorage.removeItem(storageKey)
    } catch {
      // If storage is full or forbidden, a reload loses the recording.
    }
  })
}

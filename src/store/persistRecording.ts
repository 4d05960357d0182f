/** Keeps a recording over a reload: for this tab, and until it is closed. */
import { ref } from 'valtio'
import { subscribe } from 'valtio/vanilla'
import * as z from 'zod/mini'
import { recording } from './recording.ts'
import { Script } from './scripts.ts'
import { session } from './session.ts'

const storedAs = 'permeate:recording'
const Stored = z.object({ user: z.string(), steps: z.array(Script.shape.steps.def.element) })

/** Restores what the same person recorded before the reload, and from then on stores each step. */
export function persistRecording(): void {
  try {
    const stored = z.safeParse(Stored, JSON.parse(sessionStorage.getItem(storedAs) ?? 'null')).data
    if (stored && stored.user === session.userId) recording.steps = ref(stored.steps)
  } catch {
    // What cannot be read is no recording.
  }
  subscribe(recording, () => {
    try {
      const { steps } = recording
      if (steps) sessionStorage.setItem(storedAs, JSON.stringify({ user: session.userId, steps }))
      else sessionStorage.removeItem(storedAs)
    } catch {
      // A full or forbidden storage costs only what a reload would bring back.
    }
  })
}

/** What lies over the page: the palette, the key sheet, a question, an answer. One at a time asks for keys. */
import { proxy, ref } from 'valtio'

export interface Question {
  title: string
  text: string
  /** What the button that does it says. */
  action: string
  /** A word that must be typed, exactly, before it can be done. */
  type: 'DELETE' | undefined
  danger: boolean
}
export interface Failure {
  readonly id: string
  readonly message: string
}
interface Overlays {
  palette: { query: string; command: string | undefined } | undefined
  keySheet: boolean
  question: (Question & { answer: (yes: boolean) => void }) | undefined
  share: { bssid: string; code: string; expiresAt: string } | undefined
  failures: { title: string; failed: readonly Failure[] } | undefined
}

export const overlay = proxy<Overlays>({
  palette: undefined,
  keySheet: false,
  question: undefined,
  share: undefined,
  failures: undefined,
})

export const anyOverlay = () =>
  Boolean(overlay.palette || overlay.keySheet || overlay.question || overlay.share || overlay.failures)

export function closeOverlays(): void {
  overlay.question?.answer(false)
  Object.assign(overlay, { palette: undefined, keySheet: false, question: undefined, share: undefined, failures: undefined })
}

/** Asks, and resolves with the answer; a question already open is answered no. */
export function askQuestion(question: Question): Promise<boolean> {
  overlay.question?.answer(false)
  return new Promise(resolve => {
    overlay.question = {
      ...question,
      answer: ref((yes: boolean) => {
        overlay.question = undefined
        resolve(yes)
      }),
    }
  })
}

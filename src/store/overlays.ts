/** What lies over the page: the palette, the key sheet, a question, an answer. One at a time asks for keys. */
import { proxy, ref } from 'valtio'
import { createPrompt } from './prompt.ts'
import type { ShownFailure } from '../domain/commands/failures.ts'
import type { Question } from '../domain/commands/question.ts'

/** What a device signs in with. */
export interface Credential {
  readonly bssid: string
  readonly secret: string
}
interface Overlays {
  palette:
    | {
        query: string
        /** A command waits for its arguments (argumentPrompt); `direct` when the palette was opened for it alone. */
        asked: { number: number; direct: boolean; answer: (input: unknown) => void } | undefined
      }
    | undefined
  keySheet: boolean
  /** The id of a command that is to get other keys. */
  recorder: string | undefined
  /** Which dialog of scripts is open: all of them, one to be changed (or, without an id, the recording), a preview. */
  scripts: { view: 'all' } | { view: 'edit'; id?: string } | { view: 'preview'; serial: number } | undefined
  /** A list of devices to be selected, as it was typed, and which ids in it nobody here has. */
  pasting: { text: string; unknown: readonly string[] } | undefined
  /** The number of the preview that is open (previewPrompt), and what answers it no. */
  preview: { readonly number: number; readonly close: () => void } | undefined
  question: (Question & { answer: (yes: boolean) => void }) | undefined
  share: { bssid: string; code: string; expiresAt: string } | undefined
  /** `job` is the id of the one that it was, where it was one. */
  failures: { title: string; failed: readonly ShownFailure[]; job?: string | undefined } | undefined
  /** Held here only, and gone with the dialog; `kept` says how, once a person has them elsewhere. */
  credentials: { list: readonly Credential[]; kept: string | undefined } | undefined
}

export const overlay = proxy<Overlays>({
  palette: undefined,
  keySheet: false,
  recorder: undefined,
  pasting: undefined,
  scripts: undefined,
  preview: undefined,
  question: undefined,
  share: undefined,
  failures: undefined,
  credentials: undefined,
})

export const anyOverlay = () => Object.values(overlay).some(Boolean)

/** Closes the palette; a command that waits in it for arguments does not run. */
export function closePalette(): void {
  overlay.palette?.asked?.answer(undefined)
  overlay.palette = undefined
}

export function closeOverlays(): void {
  overlay.question?.answer(false)
  overlay.preview?.close()
  closePalette()
  Object.assign(overlay, {
    keySheet: false,
    recorder: undefined,
    pasting: undefined,
    scripts: undefined,
    share: undefined,
    failures: undefined,
    credentials: undefined,
  })
}

const questionPrompt = createPrompt<Question, boolean>({
  show: open => void (overlay.question = { ...open, answer: ref(open.answer) }),
  hide: () => void (overlay.question = undefined),
})
/** Asks, and resolves with the answer; a question already open is answered no. */
export const askQuestion = async (question: Question): Promise<boolean> => (await questionPrompt.ask(question)) === true

/** Shows what new devices sign in with, after what is still shown of others: nothing that was not seen goes away. */
export function showCredentials(list: readonly Credential[]): void {
  overlay.credentials = { list: ref([...(overlay.credentials?.list ?? []), ...list]), kept: undefined }
}

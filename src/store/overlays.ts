/**
 * The overlays on top of the page, such as the palette, the key sheet and dialogs. Keys go to one of them at a time.
 */
import { useSyncExternalStore } from 'react'
import { proxy, ref, subscribe } from 'valtio'
import { createPrompt } from './prompt.ts'
import type { ShownFailure } from '../domain/commands/failures.ts'
import type { Question } from '../domain/commands/question.ts'

/** A device's id and its secret for the broker. */
export interface Credential {
  readonly bssid: string
  readonly secret: string
}
interface Overlays {
  palette:
    | {
        query: string
        /** The prompt for a command's arguments (argumentPrompt); `direct` if the palette was opened only for it. */
        prompt: { number: number; direct: boolean; answer: (input: unknown) => void } | undefined
      }
    | undefined
  keySheet: boolean
  /** The id of the command whose keys are being changed. */
  keyRecorder: string | undefined
  /** The open dialog of scripts: the editor of a script (without an id, of the recording), or a preview. */
  scripts: { view: 'edit'; id?: string } | { view: 'preview'; serial: number } | undefined
  /** The dialog that selects a pasted list of devices: the typed text, and the ids in it that were not found. */
  pasteDialog: { text: string; unknown: readonly string[] } | undefined
  /** The number of the open preview (previewPrompt), and the function that cancels it. */
  preview: { readonly number: number; readonly close: () => void } | undefined
  question: (Question & { answer: (yes: boolean) => void }) | undefined
  share: { bssid: string; code: string; expiresAt: string } | undefined
  /** The explanation of a device's health, or the help on it. */
  health: { view: 'explain'; bssid: string } | { view: 'help' } | undefined
  /** The failed targets of a run; `job` is its id if it was a job. */
  failures: { title: string; failed: readonly ShownFailure[]; job?: string | undefined } | undefined
  /** Exist only here, until the dialog closes; `savedAs` is a message once the person has copied or downloaded them. */
  credentials: { list: readonly Credential[]; savedAs: string | undefined } | undefined
}

export const overlay = proxy<Overlays>({
  palette: undefined,
  keySheet: false,
  keyRecorder: undefined,
  pasteDialog: undefined,
  scripts: undefined,
  preview: undefined,
  question: undefined,
  share: undefined,
  health: undefined,
  failures: undefined,
  credentials: undefined,
})

/** Whether any overlay is open. */
export const anyOverlay = () => Object.values(overlay).some(Boolean)

/** Whether any overlay is open besides the palette. */
export const anyDialog = () => Object.entries(overlay).some(([name, open]) => name !== 'palette' && Boolean(open))

const onChange = (notify: () => void) => subscribe(overlay, notify)

/** Follows whether something is open. A snapshot would render what uses it for each letter that is typed in the palette. */
export const useOverlay = (isOpen: () => unknown): boolean => useSyncExternalStore(onChange, () => Boolean(isOpen()))

/** Closes the palette; a command that prompts in it is cancelled. */
export function closePalette(): void {
  overlay.palette?.prompt?.answer(undefined)
  overlay.palette = undefined
}

/** Opens the palette with its list of commands, or closes it. */
export function togglePalette(): void {
  if (overlay.palette) closePalette()
  else overlay.palette = { query: '', prompt: undefined }
}

export function closeOverlays(): void {
  overlay.question?.answer(false)
  overlay.preview?.close()
  closePalette()
  Object.assign(overlay, {
    keySheet: false,
    keyRecorder: undefined,
    pasteDialog: undefined,
    scripts: undefined,
    share: undefined,
    health: undefined,
    failures: undefined,
    credentials: undefined,
  })
}

const questionPrompt = createPrompt<Question, boolean>({
  show: open => void (overlay.question = { ...open, answer: ref(open.answer) }),
  hide: () => void (overlay.question = undefined),
})
/** Shows a confirmation dialog; resolves with whether it is confirmed. A question that is already open is cancelled. */
export const askQuestion = async (question: Question): Promise<boolean> => (await questionPrompt.ask(question)) === true

/** Shows the credentials of new devices, after those that are still shown, so that none is lost. */
export function showCredentials(list: readonly Credential[]): void {
  overlay.credentials = { list: ref([...(overlay.credentials?.list ?? []), ...list]), savedAs: undefined }
}

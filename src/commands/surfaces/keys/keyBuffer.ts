/**
 * Buffers keys that are pressed before their target is ready: while a command waits, loads or opens its dialog, until
 * that dialog has the focus, and while a choice in it is not made yet. Buffered keys are replayed in order and never reach the page behind.
 */
import { proxy, subscribe } from 'valtio'
import { anyOverlay, closeOverlays, overlay } from '../../../store/overlays.ts'
import { chordOf, isModified, sequenceTimeout } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'
import { commandsBoundTo } from '../../keys/boundCommands.ts'
import { pendingCommands } from '../../core/runs/pendingCommands.ts'
import { pendingSelectionChange } from '../../core/runs/selectionChanges.ts'
import { cancelWaiting, isWaiting } from '../../core/runs/waitingCommands.ts'

export const textInputs =
  'input:not([type=checkbox],[type=radio],[type=button],[type=file]), textarea, select, [contenteditable=true]'
const dialogs = '[role=dialog], [role=alertdialog]'
/** Tab moves the focus, and function keys belong to the browser. */
const unbufferedKeys = /(^|\+)(Tab|F\d+)$/

interface BufferedKey {
  readonly event: KeyboardEvent
  /** The time of the press, from performance.now(). Infinity if it never expires, because it waits behind a command. */
  readonly at: number
}

let buffer: BufferedKey[] = []
/** The text that the buffered keys will type. */
export const bufferedText = proxy({ text: '' })
/** The number of pending promises that were passed to `bufferUntil`. */
let pendingLoads = 0
let replaying = false
/** The functions that cancel what holds the keys; see `holdKeys`. */
const holds = new Set<() => void>()
/** Whether an overlay is open that has not had the focus yet. */
let isOpening = false
/** The event that is being replayed, which must not be buffered again. */
let replayedEvent: Event | undefined
/** The dialog that had the focus last, and the palette's prompt at that time. */
let lastFocused: { readonly dialog: Element; readonly prompt: number | undefined } | undefined

/** The number of the palette's open prompt; undefined while the palette lists commands. */
const palettePrompt = () => overlay.palette?.prompt?.number
const isOverlayOpening = () =>
  anyOverlay() && !(lastFocused?.dialog.isConnected && lastFocused.prompt === palettePrompt())
/** Whether keys are for a pending command. An open overlay keeps its keys, except the palette's list of commands. */
const isCommandPending = () =>
  pendingCommands.count > 0 && (!anyOverlay() || (overlay.palette !== undefined && palettePrompt() === undefined))

const isTargetPending = () => pendingLoads > 0 || holds.size > 0 || isOverlayOpening() || isCommandPending()

/** Returns the time of a key that is pressed now. */
const timeOf = () =>
  holds.size > 0 || pendingSelectionChange() || isWaiting() || buffer.at(-1)?.at === Infinity
    ? Infinity
    : performance.now()

/** Discards the buffered keys, for example because the person clicked elsewhere. */
export function clearKeyBuffer(): void {
  setBuffer([])
}

function setBuffer(keys: BufferedKey[]): void {
  buffer = keys
  bufferedText.text = keys.reduce((text, { event }) => typed(text, event), '')
}

/** Returns a text after a key. */
function typed(text: string, event: KeyboardEvent): string {
  const { key } = event
  if (isModified(chordOf(event, isApple()) ?? '')) return text
  if (key === 'Backspace') return text.slice(0, -1)
  return key.length === 1 ? text + key : text
}

/** Buffers all keys until the returned function is called. Esc calls `cancel` and discards them. */
export function holdKeys(cancel: () => void): () => void {
  holds.add(cancel)
  return () => {
    holds.delete(cancel)
    void replay()
  }
}

/** Buffers a key, and all keys after it, until `loaded` resolves; discards them if it rejects. */
export function bufferUntil(event: KeyboardEvent, loaded: Promise<unknown>): void {
  const chord = chordOf(event, isApple())
  if (!chord || !canBuffer(chord)) return
  setBuffer([{ event, at: timeOf() }, ...buffer])
  pendingLoads++
  loaded
    .catch(clearKeyBuffer)
    .finally(() => pendingLoads--)
    .then(replay, () => undefined)
}

/** Starts buffering keys; returns a function that stops it. */
export function startKeyBuffer(): () => void {
  const stops = [
    subscribe(pendingCommands, () => void replay()),
    subscribe(overlay, () => {
      // The overlay closed before it had the focus: the keys typed for it must not go anywhere else.
      if (isOpening && !anyOverlay()) clearKeyBuffer()
      isOpening = isOverlayOpening()
      void replay()
    }),
    listen('keydown', event => {
      const chord = chordOf(event, isApple())
      if (event.isComposing || !chord || event === replayedEvent) return
      // An Enter held down since before the question appeared must not answer it.
      const isHeldEnter = event.repeat && chord === 'Enter' && closest(event.target, '[role=alertdialog]')
      // A key that is held down would otherwise act on after it was released.
      if (isHeldEnter || (mustBuffer(event, chord) && canBuffer(chord))) intercept(event, chord, !event.repeat)
    }),
    listen('focusin', ({ target }) => {
      const dialog = closest(target, dialogs)
      if (!dialog) return
      lastFocused = { dialog, prompt: palettePrompt() }
      isOpening = false
      void replay()
    }),
    listen('pointerdown', ({ target }) => {
      if (!closest(target, '[data-buffered-text]')) clearKeyBuffer()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
    clearKeyBuffer()
  }
}

function listen<Type extends keyof WindowEventMap>(type: Type, act: (event: WindowEventMap[Type]) => void): () => void {
  window.addEventListener(type, act, true)
  return () => window.removeEventListener(type, act, true)
}

const closest = (target: EventTarget | null, selector: string) =>
  target instanceof Element ? target.closest(selector) : null

/** Whether a chord may be buffered: with a modifier, only if a command is bound to it, as others are the browser's. */
const canBuffer = (chord: string): boolean =>
  isModified(chord) ? commandsBoundTo(chord).length > 0 : !unbufferedKeys.test(chord)

function mustBuffer({ target }: KeyboardEvent, chord: string): boolean {
  if (buffer.length > 0 || holds.size > 0 || isOverlayOpening()) return true
  // Esc cancels what waits, wherever the focus is.
  if (chord === 'Escape' && isWaiting() && !anyOverlay()) return true
  // Keys in another text field, button or menu are meant for that control, not for the pending command.
  return isCommandPending() && (overlay.palette !== undefined || !closest(target, `button, [role=menu], ${textInputs}`))
}

function intercept(event: KeyboardEvent, chord: string, keep: boolean): void {
  event.preventDefault()
  event.stopImmediatePropagation()
  if (chord === 'Escape' && (isTargetPending() || isWaiting())) {
    // Esc cancels the overlay that is opening, except credentials: those are shown only once.
    if (isOverlayOpening() && !overlay.credentials) closeOverlays()
    for (const cancel of holds) cancel()
    cancelWaiting()
    clearKeyBuffer()
  } else if (keep) {
    setBuffer([...buffer, { event, at: timeOf() }])
  }
}

const nextTask = () => new Promise(resolve => setTimeout(resolve))

/** Replays the buffered keys one by one, and stops when one of them starts something that the next has to wait for. */
async function replay(): Promise<void> {
  if (replaying || buffer.length === 0) return
  replaying = true
  try {
    const { cloneKeydown, replayEnter, typeInto } = await import('./replayKey.ts')
    // The target may not be rendered yet.
    await nextTask()
    while (!isTargetPending()) {
      const [next, ...rest] = buffer
      if (!next) break
      setBuffer(rest)
      const target = document.activeElement ?? document.body
      if (isForConfirmation(next)) replayEnter()
      else if (!typeInto(target, next.event) && canReplay(next))
        target.dispatchEvent((replayedEvent = cloneKeydown(next.event)))
      await nextTask()
    }
  } catch {
    clearKeyBuffer()
  } finally {
    replaying = false
  }
}

/** Whether a buffered key is an Enter for an open preview or question, which decides whether it must be read first. */
const isForConfirmation = ({ event }: BufferedKey): boolean =>
  event.key === 'Enter' && (overlay.preview !== undefined || overlay.question !== undefined)

/**
 * Whether a buffered key may act. In dialogs other than the palette only Esc may. Outside of dialogs a key expires like
 * a key sequence, and Enter is dropped, because it was meant for a dialog.
 */
const canReplay = ({ event, at }: BufferedKey): boolean =>
  anyOverlay()
    ? overlay.palette !== undefined || event.key === 'Escape'
    : event.key !== 'Enter' && performance.now() - at < sequenceTimeout

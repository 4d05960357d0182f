/**
 * Keys pressed before what they are for is there: a command on its way to its dialog, a dialog that has yet to take the
 * focus, commands that are still loading. They wait, in order, and never reach what lies behind.
 */
import { subscribe } from 'valtio'
import { anyOverlay, closeOverlays, overlay } from '../../../store/overlays.ts'
import { chordOf, sequenceTimeout } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'
import { keysOf } from '../../keys/bindings.ts'
import { pendingCommands } from '../../core/runs/pendingCommands.ts'
import { commands } from '../../core/registry.ts'

export const textInputs =
  'input:not([type=checkbox],[type=radio],[type=button],[type=file]), textarea, select, [contenteditable=true]'
const dialogs = '[role=dialog], [role=alertdialog]'
const modified = /^(mod|ctrl|meta|alt)\+/
/** They move the focus, or are the browser's. */
const neverHeld = /(^|\+)(Tab|F\d+)$/

let held: { readonly event: KeyboardEvent; readonly at: number }[] = []
let loading = 0
let releasing = false
/** Whether what lies over the page has yet to be seen there. */
let unseen = false
/** The press that is given out right now. */
let given: Event | undefined
/** The dialog that took the focus last, and what the palette asked for then. */
let owner: { readonly dialog: Element; readonly asked: number | undefined } | undefined

/** What the palette asks for; the list of all commands where it asks for nothing. */
const asked = () => overlay.palette?.asked?.number
const opening = () => anyOverlay() && !(owner?.dialog.isConnected && owner.asked === asked())
/** What lies over the page keeps its keys, but for the palette: its list makes way for the pages of the command. */
const comes = () =>
  pendingCommands.count > 0 && (!anyOverlay() || (overlay.palette !== undefined && asked() === undefined))

const waits = () => loading > 0 || opening() || comes()

/** Forgets the keys that wait: the person has gone on with something else. */
export function clearKeyBuffer(): void {
  held = []
}

/** Lets a key, and all that are pressed after it, wait for what is loading; without that they are forgotten. */
export function bufferUntil(event: KeyboardEvent, arrival: Promise<void>): void {
  if (neverHeld.test(event.key)) return
  held.unshift({ event, at: performance.now() })
  loading++
  arrival
    .catch(clearKeyBuffer)
    .finally(() => loading--)
    .then(release, () => undefined)
}

/** Holds keys for as long as it is not called back. */
export function watchKeys(): () => void {
  const stops = [
    subscribe(pendingCommands, () => void release()),
    subscribe(overlay, () => {
      // What was typed for something that never came is for nothing else.
      if (unseen && !anyOverlay()) clearKeyBuffer()
      unseen = opening()
      void release()
    }),
    listen('keydown', event => {
      const chord = chordOf(event, isApple())
      if (event.isComposing || !chord || event === given) return
      // A key that is held down since before a question was shown is no answer to it.
      const old = event.repeat && chord === 'Enter' && closest(event.target, '[role=alertdialog]')
      if (old || (mustWait(event) && isHeld(chord))) hold(event, chord, !old)
    }),
    listen('focusin', ({ target }) => {
      const dialog = closest(target, dialogs)
      if (!dialog) return
      owner = { dialog, asked: asked() }
      unseen = false
      void release()
    }),
    listen('pointerdown', clearKeyBuffer),
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

const isHeld = (chord: string): boolean =>
  modified.test(chord) ? commands.some(command => keysOf(command).includes(chord)) : !neverHeld.test(chord)

function mustWait({ target }: KeyboardEvent): boolean {
  if (held.length > 0 || opening()) return true
  // Whoever types or chooses elsewhere meanwhile means that.
  return comes() && (overlay.palette !== undefined || !closest(target, `button, [role=menu], ${textInputs}`))
}

function hold(event: KeyboardEvent, chord: string, keep: boolean): void {
  event.preventDefault()
  event.stopImmediatePropagation()
  if (chord === 'Escape' && waits()) {
    // The innermost thing that it undoes; but never secrets, which are shown only once.
    if (opening() && !overlay.credentials) closeOverlays()
    clearKeyBuffer()
  } else if (keep) held.push({ event, at: performance.now() })
}

const nextTask = () => new Promise(resolve => setTimeout(resolve))

/** Gives the keys to what is there now, one by one: each may begin what the next has to wait for. */
async function release(): Promise<void> {
  if (releasing || held.length === 0) return
  releasing = true
  try {
    const { copyOf, typeInto } = await import('./replayKey.ts')
    // What takes them may be about to be drawn.
    await nextTask()
    while (!waits()) {
      const next = held.shift()
      if (!next) break
      const focused = document.activeElement ?? document.body
      if (!typeInto(focused, next.event) && isMeant(next)) focused.dispatchEvent((given = copyOf(next.event)))
      await nextTask()
    }
  } catch {
    clearKeyBuffer()
  } finally {
    releasing = false
  }
}

/** Nothing is agreed to that was not seen: only the palette's rows are chosen by keys that came before them. */
const isMeant = ({ event, at }: (typeof held)[number]): boolean =>
  anyOverlay() ? overlay.palette !== undefined || event.key === 'Escape' : performance.now() - at < sequenceTimeout

import { useEffect, useRef } from 'react'
import { useHotkeys } from 'react-hotkeys-hook'
import { proxy, subscribe } from 'valtio'
import { closeNavDrawer } from '../../../store/layout.ts'
import { anyOverlay, overlay } from '../../../store/overlays.ts'
import { preferences } from '../../../store/preferences.ts'
import { chordOf, createMatcher, sequenceTimeout } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'
import type { PagePart } from '../../core/page.ts'
import type { Command } from '../../core/types.ts'
import { isBoundIn, keysOf, resolveBinding } from '../../keys/bindings.ts'
import { bindings } from '../../keys/boundCommands.ts'
import { registryState, commandOf } from '../../core/registry.ts'
import { currentContext } from '../../core/context.ts'
import { pendingSelectionChange } from '../../core/runs/selectionChanges.ts'
import { hasRunningJobs } from '../../core/runs/jobs.ts'
import { clearKeyBuffer, bufferUntil, textInputs, startKeyBuffer } from './keyBuffer.ts'
import { loadOrReport, runCommand } from '../run/run.ts'

/** The keys typed so far of an incomplete key sequence. */
export const keySequence = proxy<{ typed: string | undefined }>({ typed: undefined })

const matcher = createMatcher<Command>(bindings())
for (const part of [preferences, registryState]) subscribe(part, () => matcher.bind(bindings()))

/** Discards the keys typed so far; the next key starts a new sequence. */
export function resetSequence(): void {
  matcher.reset()
  keySequence.typed = undefined
}

/** Keys that the focused control handles itself, before any command. */
const controlKeys: readonly (readonly [controls: string, keys: ReadonlySet<string>])[] = [
  ['button, a, summary, input[type=checkbox], input[type=file]', new Set(['Enter', 'Space'])],
  ['[role=radio], [role=tab]', new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'])],
]
/** Keys that scroll. The browser keeps them in a part that can be scrolled, and elsewhere unless a command can run. */
const scrollKeys = /^(shift\+)?(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End|Space)$/

/** Whether a key press is for the focused element or an open overlay, and not for a command. */
function isHandledElsewhere(event: KeyboardEvent, chord: string): boolean {
  const target = event.target instanceof Element ? event.target : document.body
  if (event.isComposing) return true
  if (anyOverlay()) return !(overlay.palette && keysOf(commandOf('view.palette')).includes(chord))
  if (target.closest('[role=menu]')) return true
  if (target.matches(textInputs)) return !chord.startsWith('mod+') || chord === 'mod+a' || chord === 'mod+b'
  if (scrollKeys.test(chord) && !chord.startsWith('shift+Arrow') && scrolls(target)) return true
  return controlKeys.some(([controls, keys]) => keys.has(chord) && target.matches(controls))
}

/** Whether an element is a part of the page that has the focus in order to be scrolled, and is longer than its room. */
const scrolls = (target: Element): boolean =>
  target.matches('[data-scrolls]') &&
  (target.scrollHeight > target.clientHeight || target.scrollWidth > target.clientWidth)

const focusIsIn = (part: PagePart) => Boolean(document.activeElement?.closest(`[data-${part}]`))

/** Returns a predicate for the commands whose keys work now. */
const isBoundHere = () => isBoundIn(currentContext(), focusIsIn)

/** Adds a chord to the sequence; returns the command that it completes on this screen. */
function commandFor(chord: string, now: number): Command | undefined {
  const { targets, pending } = matcher.press(chord, now, isBoundHere())
  keySequence.typed = pending.length > 0 ? pending.join(' ') : undefined
  if (scrollKeys.test(chord) && !targets.some(command => command.availability(currentContext()).is === 'ready'))
    return undefined
  return resolveBinding(targets)
}

/** Listens to all key presses and runs the commands that they are bound to. */
export function Hotkeys() {
  const expiry = useRef<ReturnType<typeof setTimeout>>(undefined)
  useHotkeys(
    '*',
    event => {
      const chord = chordOf(event, isApple())
      if (!chord || event.defaultPrevented || isHandledElsewhere(event, chord)) return
      if (chord === 'Escape' && keySequence.typed !== undefined) {
        // Esc cancels the sequence before anything else.
        event.preventDefault()
        return resetSequence()
      }
      if (chord === 'Escape' && closeNavDrawer()) return event.preventDefault()
      // A deferred command may be bound to this key, or one of the screen that a command opens with a selection. If
      // deferred commands fail to load, that is reported. A job that changes the selection at its
      // end may take minutes, so keys do not wait for it.
      const changing = hasRunningJobs() ? undefined : pendingSelectionChange()
      const awaited = registryState.isComplete ? changing : loadOrReport()
      if (awaited && !matcher.accepts(chord, event.timeStamp, isBoundHere())) return bufferUntil(event, awaited)
      clearTimeout(expiry.current)
      const command = commandFor(chord, event.timeStamp)
      if (keySequence.typed) expiry.current = setTimeout(() => (keySequence.typed = undefined), sequenceTimeout)
      if (!command) return
      event.preventDefault()
      void runCommand(command)
    },
    { enableOnFormTags: true, enableOnContentEditable: true, ignoreModifiers: true },
  )
  useEffect(startKeyBuffer, [])
  useEffect(() => {
    // Half a sequence or a buffered key from before the window lost the focus must not continue when it is back.
    const reset = () => {
      resetSequence()
      clearKeyBuffer()
    }
    window.addEventListener('blur', reset)
    return () => window.removeEventListener('blur', reset)
  }, [])
  return null
}

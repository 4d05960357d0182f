import { useEffect, useRef } from 'react'
import { useHotkeys } from 'react-hotkeys-hook'
import { proxy, subscribe } from 'valtio'
import { anyOverlay, overlay } from '../../../store/overlays.ts'
import { preferences } from '../../../store/preferences.ts'
import { chordOf, createMatcher, sequenceTimeout } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'
import type { Command } from '../../core/types.ts'
import { isBoundIn, keysOf, resolveBinding } from '../../keys/bindings.ts'
import { registryState, commandOf, commands, loadAllCommands } from '../../core/registry.ts'
import { currentContext } from '../../core/context.ts'
import { clearKeyBuffer, bufferUntil, textInputs, watchKeys } from './keyBuffer.ts'
import { runCommand } from '../run/run.ts'

/** The keys of a sequence that has begun. */
export const typing = proxy<{ sequence: string | undefined }>({ sequence: undefined })

const bindings = () => commands.flatMap(command => keysOf(command).map(keys => ({ keys, target: command })))
const matcher = createMatcher<Command>(bindings())
for (const part of [preferences, registryState]) subscribe(part, () => matcher.bind(bindings()))

/** Forgets the keys so far: what comes next begins anew. */
export function forgetSequence(): void {
  matcher.reset()
  typing.sequence = undefined
}

/** Keys that belong to the control in focus before they mean anything to a list. */
const ownKeys: readonly (readonly [controls: string, keys: ReadonlySet<string>])[] = [
  ['button, a, summary, input[type=checkbox], input[type=file]', new Set(['Enter', 'Space'])],
  ['[role=radio], [role=tab]', new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'])],
]
/** Keys that scroll the page: only a command that can be given takes them from the browser. */
const scrolling = /^(shift\+)?(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End|Space)$/

/** Whether a press is the focused element's own and no command's. */
function isTaken(event: KeyboardEvent, chord: string): boolean {
  const target = event.target instanceof Element ? event.target : document.body
  if (event.isComposing) return true
  if (anyOverlay()) return !(overlay.palette && keysOf(commandOf('view.palette')).includes(chord))
  if (target.closest('[role=menu]')) return true
  if (target.matches(textInputs)) return !chord.startsWith('mod+') || chord === 'mod+a' || chord === 'mod+b'
  return ownKeys.some(([controls, keys]) => keys.has(chord) && target.matches(controls))
}

/** Returns the command that the keys so far give here. */
function targetOf(chord: string, now: number): Command | undefined {
  const context = currentContext()
  const { targets, pending } = matcher.press(chord, now, isBoundIn(context))
  typing.sequence = pending.length > 0 ? pending.join(' ') : undefined
  if (scrolling.test(chord) && !targets.some(command => command.availability(context).is === 'ready')) return undefined
  return resolveBinding(targets)
}

/** Gives every key press to the one matcher of all bindings. */
export function Hotkeys() {
  const forget = useRef<ReturnType<typeof setTimeout>>(undefined)
  useHotkeys(
    '*',
    event => {
      const chord = chordOf(event, isApple())
      if (!chord || event.defaultPrevented || isTaken(event, chord)) return
      if (chord === 'Escape' && typing.sequence !== undefined) {
        // The innermost thing that it undoes.
        event.preventDefault()
        return forgetSequence()
      }
      // Commands that are still on their way may know it. Should they not come, whoever needs them tells.
      if (!registryState.all && !matcher.knows(chord, event.timeStamp, isBoundIn(currentContext())))
        return bufferUntil(event, loadAllCommands())
      clearTimeout(forget.current)
      const target = targetOf(chord, event.timeStamp)
      if (typing.sequence) forget.current = setTimeout(() => (typing.sequence = undefined), sequenceTimeout)
      if (!target) return
      event.preventDefault()
      void runCommand(target)
    },
    { enableOnFormTags: true, enableOnContentEditable: true, ignoreModifiers: true },
  )
  useEffect(watchKeys, [])
  useEffect(() => {
    // A modifier or half a sequence held while the window went away is not held when it comes back.
    const forgetAll = () => {
      forgetSequence()
      clearKeyBuffer()
    }
    window.addEventListener('blur', forgetAll)
    return () => window.removeEventListener('blur', forgetAll)
  }, [])
  return null
}

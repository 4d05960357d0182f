import { useState, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { overlay } from '../../../store/overlays.ts'
import { preferences } from '../../../store/preferences.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { conflictsOf, conflictText, reservedKeysReason } from '../../keys/conflicts.ts'
import { chordOf, keycaps } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'
import { displayName } from '../../core/displayName.ts'
import type { Command } from '../../core/types.ts'
import { useAssignedKeysOf } from '../run/commandHooks.ts'
import { run } from '../run/run.ts'

const maxChords = 3

/** Focuses the recorder when it opens: `autoFocus` works only on form fields. */
const focusOnMount = (element: HTMLElement | null): void => element?.focus()

/** Records new keys for a command as they are pressed, and shows conflicts with other commands and the browser. */
export function KeyRecorder({ command }: { command: Command }) {
  const { id } = command
  const assigned = useAssignedKeysOf(command)
  const { bareKeys } = useSnapshot(preferences)
  const [chords, setChords] = useState<readonly string[]>([])
  const keys = chords.join(' ')
  const refused = chords.length > 0 ? reservedKeysReason(keys) : undefined
  const conflicts = chords.length > 0 && !refused ? conflictsOf(command, keys) : []
  const isAssigned = assigned.includes(keys)

  const close = () => (overlay.keyRecorder = undefined)
  const save = (all: readonly string[]) => {
    if (chords.length === 0 || refused) return
    close()
    void run('keys.rebind', { input: { command: id, keys: all } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chord = chordOf(event, isApple())
    // Esc closes the dialog and Tab moves the focus, as everywhere.
    if (!chord || chord === 'Escape' || chord === 'Tab' || chord === 'shift+Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (chord === 'Enter' && chords.length > 0) return save([keys])
    if (chord === 'Backspace' && chords.length > 0) return setChords(chords.slice(0, -1))
    setChords(chords.length < maxChords ? [...chords, chord] : [chord])
  }

  return (
    <Dialog command="keys.change" title={`Keys of “${displayName(command)}”`} className="w-[440px] p-5" onClose={close}>
      <p className="mt-1.5 text-ink2">
        {assigned.length > 0 ? (
          <span className="flex flex-wrap items-center gap-2">
            Current keys
            {assigned.map(current => (
              <span key={current}>
                <span className="sr-only">{current}</span>
                <Kbd caps={keycaps(current, isApple())} />
              </span>
            ))}
          </span>
        ) : (
          'No keys are assigned.'
        )}
      </p>
      <div
        role="textbox"
        aria-label="Press the new keys"
        aria-readonly="true"
        aria-describedby="recorder-note"
        tabIndex={0}
        ref={focusOnMount}
        className="mt-3 grid h-16 place-items-center rounded-lg border border-line bg-sunk text-[15px] focus:border-ring focus:shadow-[0_0_0_3px_color-mix(in_oklch,var(--ring)_25%,transparent)] focus:outline-none"
        onKeyDown={onKeyDown}
      >
        {chords.length > 0 ? (
          <span className="flex items-center gap-1.5 text-base">
            <span className="sr-only">{keys}</span>
            <Kbd caps={keycaps(keys, isApple())} />
          </span>
        ) : (
          <span className="text-ink2">Press one to three keys in a row</span>
        )}
      </div>
      <div id="recorder-note" role="status" className="mt-2 grid min-h-10 content-start gap-1 text-[12px] text-ink2">
        {refused && <p className="text-bad">{refused}. Choose other keys.</p>}
        {conflicts.map(conflict => (
          <p key={`${conflict.command.id} ${conflict.keys}`} className="text-warn">
            {conflictText(conflict, keys)}. That command will lose them.
          </p>
        ))}
        {isAssigned && <p>This command already has these keys.</p>}
        {!refused && chords.length > 0 && !bareKeys && !/(mod|alt)\+/.test(keys) && (
          <p>Single keys are off: these do nothing until you turn them on.</p>
        )}
        {chords.length > 0 && !refused && conflicts.length === 0 && !isAssigned && (
          <p>No other command has these keys.</p>
        )}
        {chords.length === 0 && <p>Backspace removes the last key, Enter saves, Esc cancels.</p>}
      </div>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <CloseButton label="Cancel" />
        {assigned.length > 0 && (
          <button
            type="button"
            data-command="keys.rebind"
            className="btn"
            disabled={chords.length === 0 || refused !== undefined || isAssigned}
            onClick={() => save([...assigned, keys])}
          >
            Add keys
          </button>
        )}
        <button
          type="button"
          data-command="keys.rebind"
          className="btn btn-primary"
          disabled={chords.length === 0 || refused !== undefined}
          onClick={() => save([keys])}
        >
          {conflicts.length > 0 ? 'Reassign' : 'Set keys'} <Kbd caps={['↵']} />
        </button>
      </div>
    </Dialog>
  )
}

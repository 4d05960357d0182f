import { Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { recording } from '../../../store/scripts/recording.ts'
import { useRole } from '../../../store/session.ts'
import { keySequence } from './Hotkeys.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { registryState, commandsOn } from '../../core/registry.ts'
import type { Command } from '../../core/types.ts'
import { type Context } from '../../core/context.ts'
import { isApple } from '../../../store/platform.ts'
import { keycaps } from '../../keys/keymap.ts'
import { isBoundIn, isOfScreen, resolveBinding } from '../../keys/bindings.ts'
import { commandsBoundTo } from '../../keys/boundCommands.ts'
import { lastPage } from '../../core/listRows.ts'
import { lazyComponent } from '../run/lazyComponent.ts'
import { runCommand } from '../run/run.ts'
import { useAvailability, useContextValue, useKeysOf, useLabel } from '../run/commandHooks.ts'

/** Loads WhichKey; called ahead of time, so that it appears as soon as a sequence begins. */
export const loadWhichKey = () => import('./WhichKey.tsx')
const WhichKey = lazyComponent(loadWhichKey, module => module.WhichKey)
const RecordingMark = lazyComponent(
  () => import('../scripts/RecordingMark.tsx'),
  module => module.RecordingMark,
)

/** The commands that a list needs first. */
const first = ['list.focusSearch', 'list.toggleRow', 'device.flush']
const rank = (command: Command) => (isOfScreen(command) ? 2 : first.includes(command.id) ? 1 : 0)
/** Returns the commands of the status bar, the most important first: narrow windows cut off the last ones. */
const entries = () => commandsOn('status').toSorted((a, b) => rank(b) - rank(a))

/** Shows the role, whether a script is being recorded, the keys that work right now, and the page of the list. */
export function StatusBar() {
  const role = useRole()
  const page = useContextValue(({ list }) => (list ? `page ${list.state.page} of ${lastPage(list)}` : undefined))
  const { typed: sequence } = useSnapshot(keySequence)
  const { steps } = useSnapshot(recording)
  void useSnapshot(registryState).version
  return (
    <footer
      data-recording={steps ? '' : undefined}
      className="status-bar col-span-full flex h-(--status-bar) items-center gap-4 overflow-hidden border-t border-line bg-sunk pr-3 text-[11.5px] whitespace-nowrap text-ink2"
    >
      <span className="grid h-full place-items-center bg-accent px-3 font-semibold text-accent-ink">{role}</span>
      <span role="status" className="sr-only">
        {sequence && `${keycaps(sequence, isApple()).join(' ')}: more keys may follow`}
      </span>
      <Suspense fallback={null}>
        {steps && <RecordingMark />}
        {sequence && <WhichKey key={sequence} sequence={sequence} />}
      </Suspense>
      {sequence ? (
        <span className="flex items-center gap-1.5">
          <Kbd caps={keycaps(sequence, isApple())} /> …
        </span>
      ) : (
        <div className="hidden min-w-0 flex-1 gap-4 overflow-hidden sm:flex">
          {entries().map(command => (
            <Entry key={command.id} command={command} />
          ))}
        </div>
      )}
      <span className="ml-auto">{page}</span>
    </footer>
  )
}

/** Whether these keys run this command on this screen, and not another that is bound to the same keys. */
const isBoundTo = (command: Command, keys: string, context: Context): boolean =>
  resolveBinding(commandsBoundTo(keys).filter(isBoundIn(context))) === command

function Entry({ command }: { command: Command }) {
  const availability = useAvailability(command)
  const label = useLabel(command)
  const [keys] = useKeysOf(command)
  const isBoundHere = useContextValue(context => keys !== undefined && isBoundTo(command, keys, context))
  if (availability.is !== 'ready' || !keys || !isBoundHere) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      data-command={command.id}
      className="flex items-center gap-1.5 hover:text-ink"
      onClick={() => void runCommand(command)}
    >
      <Kbd caps={keycaps(keys, isApple())} />
      {label === command.title ? command.short : label.toLowerCase()}
    </button>
  )
}

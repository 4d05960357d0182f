import { useEffect, useState } from 'react'
import { Kbd } from '../../../ui/Kbd.tsx'
import { currentContext } from '../../core/context.ts'
import { continuations } from '../../keys/continuations.ts'
import { isApple } from '../../../store/platform.ts'
import { keycaps } from '../../keys/keymap.ts'
import { commands } from '../../core/registry.ts'
import { resetSequence } from './Hotkeys.tsx'
import { runCommand } from '../run/run.ts'

/** Milliseconds before it appears: people who know the keys have pressed them by then. */
const appearDelay = 250

/** Lists the keys that can follow an incomplete sequence, with their commands, which can also be clicked. */
export function WhichKey({ sequence }: { sequence: string }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), appearDelay)
    return () => clearTimeout(timer)
  }, [])
  if (!shown) return null
  const context = currentContext()
  return (
    <section
      aria-label={`Keys that may follow ${keycaps(sequence, isApple()).join(' ')}`}
      className="raised fixed right-2 bottom-[34px] z-40 max-h-[60vh] w-[min(680px,calc(100vw-1rem))] overflow-auto rounded-lg p-1.5 whitespace-normal"
    >
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,230px),1fr))] gap-x-1">
        {continuations(sequence, commands, context).map(({ keys, command }) => {
          const availability = command.availability(context)
          const reason = availability.is === 'blocked' ? availability.reason : undefined
          return (
            <li key={command.id}>
              <button
                type="button"
                // The focus stays on the element where the sequence was typed.
                tabIndex={-1}
                data-command={command.id}
                title={reason}
                className={`flex min-h-7 w-full items-center gap-2 rounded px-1.5 py-1 text-left text-[12.5px] hover:bg-sunk ${reason ? 'text-ink3' : 'text-ink'}`}
                onMouseDown={event => event.preventDefault()}
                onClick={() => {
                  resetSequence()
                  void runCommand(command)
                }}
              >
                <Kbd caps={keycaps(keys, isApple())} />
                <span className="min-w-0">{command.label(context)}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

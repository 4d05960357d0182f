import { useState } from 'react'
import { overlay } from '../../../store/overlays.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { currentContext } from '../../core/context.ts'
import { groups, type Group } from '../../core/presentation.ts'
import { isApple } from '../../../store/platform.ts'
import { keycaps } from '../../keys/keymap.ts'
import { displayName } from '../../core/displayName.ts'
import { bestScore } from '../../arguments/rank.ts'
import { keysOf } from '../../keys/bindings.ts'
import { commands } from '../../core/registry.ts'
import { SurfaceButtons } from '../buttons/SurfaceButtons.tsx'

/** Lists the keys of all commands that the role can see, by group. */
export function KeySheet() {
  const [query, setQuery] = useState('')
  const context = currentContext()
  const visibleCommands = commands
    .filter(command => keysOf(command).length > 0 && command.availability(context).is !== 'hidden')
    .filter(command => bestScore(query, displayName(command), [...(command.keywords ?? []), ...keysOf(command)]) > 0)
  return (
    <Dialog title="All keys" command="view.keys" className="w-[860px] p-5" onClose={() => (overlay.keySheet = false)}>
      <div className="mt-3 flex flex-wrap gap-2">
        <input
          type="search"
          data-command="view.keys"
          aria-label="Search keys"
          placeholder="Search"
          className="input min-w-48 flex-1"
          autoFocus
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
        <SurfaceButtons
          on="keySheet"
          className="!h-8"
          onRun={() => (overlay.keySheet = false)}
          overrides={{ 'keys.change': { label: 'Change keys' } }}
        />
      </div>
      <div className="mt-3 max-h-[60vh] overflow-auto" tabIndex={0} role="group" aria-label="Keys">
        <div className="gap-x-8 sm:columns-2">
          {(Object.keys(groups) as Group[]).map(group => {
            const ofGroup = visibleCommands.filter(command => command.group === group)
            if (ofGroup.length === 0) return null
            return (
              <section key={group} className="mb-4 break-inside-avoid-column">
                <h3 className="mb-1 text-[10.5px] font-semibold tracking-wide text-ink3 uppercase">{groups[group]}</h3>
                <dl>
                  {ofGroup.map(command => (
                    <div key={command.id} className="flex items-center gap-3 border-b border-line py-1">
                      <dt className="flex-1">{displayName(command)}</dt>
                      <dd className="flex gap-2">
                        {keysOf(command).map(keys => (
                          <span key={keys}>
                            <span className="sr-only">{keys}</span>
                            <Kbd caps={keycaps(keys, isApple())} />
                          </span>
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            )
          })}
        </div>
        {visibleCommands.length === 0 && <p className="text-ink2">No matching keys.</p>}
      </div>
    </Dialog>
  )
}

import { Command as Menu } from 'cmdk'
import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { closePalette, overlay } from '../../store/overlays.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { currentContext } from '../context.ts'
import { countOf } from '../phrases.ts'
import { commandOf } from '../registry.ts'
import { ArgumentPages } from './ArgumentPages.tsx'
import { Icon } from './Icon.tsx'
import { PaletteFoot } from './PaletteFoot.tsx'
import { PaletteRoot } from './PaletteRoot.tsx'

/** ⌘K: commands and devices by a few letters, and the arguments of a command page by page. */
export function Palette() {
  const { palette } = useSnapshot(overlay)
  if (!palette) return null
  return <OpenPalette asked={palette.asked?.command} />
}

function OpenPalette({ asked }: { asked: string | undefined }) {
  const [query, setQuery] = useState(overlay.palette?.query ?? '')
  const [value, setValue] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const previous = useRef(asked)
  // What was looked for before the arguments were asked comes back, selected, when one goes back.
  useEffect(() => {
    if (previous.current && !asked) input.current?.select()
    previous.current = asked
  }, [asked])

  const backToRoot = () => {
    const waiting = overlay.palette?.asked
    if (waiting?.direct) return closePalette()
    overlay.palette = { query, asked: undefined }
    waiting?.answer(undefined)
  }
  const context = currentContext()
  const entity = context.list?.entity ?? 'devices'
  const count = context.targets(entity).length

  return (
    <Dialog title="Commands" showTitle={false} top className="w-[640px] overflow-hidden" onClose={closePalette}>
      {asked ? (
        <ArgumentPages command={commandOf(asked)} onBack={backToRoot} />
      ) : (
        <Menu label="Commands" shouldFilter={false} vimBindings={false} loop value={value} onValueChange={setValue}>
          <div className="flex h-[50px] items-center gap-2.5 border-b border-line px-4 text-[15px]">
            <Icon name="search" />
            {count > 0 && (
              <span className="rounded-md bg-accent-soft px-2 py-0.5 text-[11px] font-medium whitespace-nowrap text-accent">
                {countOf(count, entity)}
              </span>
            )}
            <Menu.Input
              ref={input}
              autoFocus
              value={query}
              placeholder="Search devices or run a command"
              className="min-w-0 flex-1 bg-transparent outline-none"
              onValueChange={text => {
                setQuery(text)
                if (overlay.palette) overlay.palette.query = text
              }}
            />
          </div>
          <PaletteRoot query={query} onFirst={setValue} />
          <PaletteFoot
            hints={[
              ['↵', 'run'],
              ['>', 'commands'],
              ['@', 'devices'],
              ['Esc', 'close'],
            ]}
          />
        </Menu>
      )}
    </Dialog>
  )
}

import { Command as Menu } from 'cmdk'
import { useRef, type KeyboardEvent, type RefObject } from 'react'
import { closePalette } from '../../../store/overlays.ts'
import { type CommandMatch } from '../../palette/search.ts'
import { countOf } from '../../core/wording.ts'
import { undoText } from '../../jobs/undo.ts'
import { Icon } from '../buttons/Icon.tsx'
import { choose, copyLinkTo } from './paletteActions.ts'
import { modes, type Mode } from './paletteModes.ts'
import { CommandSection, DeviceSection, ThingSection } from './PaletteSections.tsx'
import { PaletteFoot, type Hint } from './PaletteFoot.tsx'
import { PaletteStatus } from './PaletteStatus.tsx'
import { pressRow, useActiveRow } from './useActiveRow.ts'
import { useActiveValue } from './useActiveValue.ts'
import { useDeferredSections } from './useDeferredSections.ts'
import { usePaletteKeys } from './usePaletteKeys.ts'
import { usePaletteSearch } from './usePaletteSearch.ts'

/** What may be looked for: commands by section, then devices, then what they are made of. */
export function PaletteRoot(props: {
  query: string
  input: RefObject<HTMLInputElement | null>
  onQuery: (query: string) => void
}) {
  const { query, input, onQuery } = props
  const root = useRef<HTMLDivElement>(null)
  useActiveRow(root)
  const search = usePaletteSearch(query)
  const { context, offered, text, entries, devices, things } = search
  const { value, setValue, noteMove } = useActiveValue(query, search.rows)
  const shown = useDeferredSections(search.sections)
  const active = entries.find(entry => entry.command.id === value)
  const entity = context.list?.entity ?? 'devices'
  const count = context.targets(entity).length

  const askForAll = () => active && !active.blocked && choose(active, true)
  const narrow = (sign: Mode) => {
    onQuery(search.mode === sign ? text : `${sign}${text}`)
    input.current?.focus()
  }
  const { copied, linkHint, onKeyDown } = usePaletteKeys({
    root,
    subject: `${query}\n${value}`,
    copyLink: active && (() => copyLinkTo(active.command.id, active.ahead?.given ?? [])),
    actionOf: (_: KeyboardEvent, chord) => (chord === 'Tab' && active?.ahead ? askForAll : undefined),
    onMove: to => {
      noteMove()
      setValue(to)
    },
  })
  const narrowing = offered.map(sign => ({
    caps: [sign],
    does: modes[sign].does,
    name: modes[sign].name,
    command: 'view.palette',
    act: () => narrow(sign),
  }))
  const hints: readonly Hint[] = [
    { caps: ['↵'], does: 'run', command: 'view.palette', act: () => pressRow(root.current) },
    // Who types arguments ahead has narrowed enough.
    ...(active?.ahead
      ? [{ caps: ['⇥'], does: 'the rest', name: 'Ask for the rest', command: active.command.id, act: askForAll }]
      : narrowing),
    ...(active ? [linkHint] : []),
    { caps: ['Esc'], does: 'close', command: 'view.palette', act: closePalette },
  ]

  return (
    <>
      <Menu
        ref={root}
        label="Commands"
        shouldFilter={false}
        vimBindings={false}
        loop
        value={value}
        onValueChange={setValue}
        onKeyDown={onKeyDown}
        onPointerMove={noteMove}
      >
        <div className="flex h-[50px] items-center gap-2.5 border-b border-line px-4 text-[15px]">
          <Icon name="search" />
          {count > 0 && (
            <span className="rounded-md bg-accent-soft px-2 py-0.5 text-[11px] font-medium whitespace-nowrap text-accent">
              {countOf(count, entity)}
            </span>
          )}
          <Menu.Input
            ref={input}
            data-command="view.palette"
            autoFocus
            value={query}
            placeholder={offered.includes('@') ? 'Search devices or run a command' : 'Run a command'}
            className="h-7 min-w-0 flex-1 bg-transparent outline-none"
            onValueChange={onQuery}
          />
        </div>
        <Menu.List className="max-h-[min(60vh,420px)] overflow-auto px-1.5 pb-1.5">
          <Menu.Empty className="p-6 text-center text-ink2">{search.empty}</Menu.Empty>
          {shown.map(section => (
            <CommandSection key={section.title} section={section} context={context} onChoose={chooseReady} />
          ))}
          <DeviceSection devices={devices} query={text} />
          <ThingSection things={things} query={text} />
          {search.failed && entries.length > 0 && (
            <p className="px-2.5 py-2 text-ink3">Devices cannot be searched right now.</p>
          )}
        </Menu.List>
      </Menu>
      <PaletteFoot hints={hints} note={active && !active.blocked ? undoText(active.command) : undefined} />
      <PaletteStatus
        counts={[
          [entries.length, 'command', 'commands'],
          [devices.length, 'device', 'devices'],
          [things.length, 'system, model or vendor', 'systems, models or vendors'],
        ]}
        empty={search.empty}
        settled={!search.asking}
        note={copied ? 'Link copied' : undefined}
      />
    </>
  )
}

function chooseReady(entry: CommandMatch): void {
  if (!entry.blocked) choose(entry)
}

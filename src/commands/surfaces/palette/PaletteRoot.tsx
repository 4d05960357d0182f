import { Command as Menu } from 'cmdk'
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useSnapshot } from 'valtio'
import { narrow } from '../../../store/layout.ts'
import { closePalette, overlay } from '../../../store/overlays.ts'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { type CommandMatch } from '../../palette/search.ts'
import { currentContext } from '../../core/context.ts'
import { actsOnPendingRows } from '../../core/pendingRows.ts'
import { pendingSelectionChange } from '../../core/runs/selectionChanges.ts'
import { countOf } from '../../core/wording.ts'
import { undoText } from '../../jobs/undo.ts'
import { Icon } from '../buttons/Icon.tsx'
import { chooseCommand, chooseDevice, chooseEntity, copyLinkTo } from './paletteActions.ts'
import { modes, type Mode } from './paletteModes.ts'
import { CommandSection, DeviceSection, EntitySection } from './PaletteSections.tsx'
import { PaletteFoot, type Hint } from './PaletteFoot.tsx'
import { PaletteStatus } from './PaletteStatus.tsx'
import { clickActiveRow, useActiveRow } from './rows/useActiveRow.ts'
import { useActiveValue } from './rows/useActiveValue.ts'
import { useDeferredSections } from './useDeferredSections.ts'
import { useEnterBeforeResults } from './useEnterBeforeResults.ts'
import { usePaletteKeys } from './usePaletteKeys.ts'
import { usePaletteSearch } from './usePaletteSearch.ts'
import { useSearchedText } from './useSearchedText.ts'

/** The palette's first page: commands by section, then devices, then filtration systems, models and vendors. */
export function PaletteRoot({ input }: { input: RefObject<HTMLInputElement | null> }) {
  // The input may have a newer text than the one whose results are shown.
  const [query, catchUp] = useSearchedText()
  const root = useRef<HTMLDivElement>(null)
  useActiveRow(root)
  const search = usePaletteSearch(query)
  const { context, availableModes, text, entries, devices, entities } = search
  const { value, setValue, recordMove } = useActiveValue(query, search.rows)
  const visibleSections = useDeferredSections(search.sections)
  const active = entries.find(entry => entry.command.id === value)
  const entity = context.list?.entity ?? 'devices'
  const count = context.targets(entity).length
  const isNarrow = useMediaQuery(narrow.navigation)

  // Commands are found at once and listed first, so only without any does Enter wait for the results of the server.
  const isFirstPending = search.isLoading && entries.length === 0 && value === (search.rows[0] ?? '')
  const chooseWhenLoaded = useEnterBeforeResults(
    { query, state: search.isLoading ? 'loading' : search.failed ? 'failed' : 'settled' },
    () => {
      if (entries[0]) chooseUnblocked(entries[0])
      else if (devices[0]) chooseDevice(devices[0])
      else if (entities[0]) chooseEntity(entities[0])
    },
  )
  const askForAll = () => active && !active.blocked && chooseCommand(active, true)
  const toggleMode = (sign: Mode) => {
    setTypedText(search.mode === sign ? text : `${sign}${text}`)
    input.current?.focus()
  }
  const { copied, linkHint, onKeyDown } = usePaletteKeys({
    root,
    subject: `${query}\n${value}`,
    copyLink:
      active &&
      (() => {
        const { parsed = [], policy } = active.inlineArguments ?? {}
        const values = parsed.map(argument => ({ ...argument, name: argument.text }))
        return copyLinkTo(active.command.id, values, [], policy)
      }),
    actionOf(_: KeyboardEvent, chord) {
      if (chord === 'Enter' && isFirstPending) return chooseWhenLoaded
      return chord === 'Tab' && active?.inlineArguments ? askForAll : undefined
    },
    onMove: to => {
      recordMove()
      setValue(to)
    },
  })
  const modeHints = availableModes.map(sign => ({
    caps: [sign],
    label: modes[sign].label,
    title: modes[sign].title,
    command: 'view.palette',
    act: () => toggleMode(sign),
  }))
  const hints: readonly Hint[] = [
    { caps: ['↵'], label: 'run', command: 'view.palette', act: () => clickActiveRow(root.current) },
    // With inline arguments, search modes no longer help.
    ...(active?.inlineArguments
      ? [
          {
            caps: ['⇥'],
            label: 'more arguments',
            title: 'Enter the remaining arguments',
            command: active.command.id,
            act: askForAll,
          },
        ]
      : modeHints),
    ...(active ? [linkHint] : []),
    { caps: ['Esc'], label: 'close', command: 'view.palette', act: closePalette },
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
        onKeyDownCapture={event => isAction(event) && catchUp()}
        onKeyDown={onKeyDown}
        onPointerMove={recordMove}
      >
        <div className="flex h-[50px] items-center gap-2.5 border-b border-line px-4 text-[15px]">
          <Icon name="search" />
          {count > 0 && (
            <span className="rounded-md bg-accent-soft px-2 py-0.5 text-[11px] font-medium whitespace-nowrap text-accent">
              {countOf(count, entity)}
            </span>
          )}
          <PaletteInput
            input={input}
            placeholder={
              !availableModes.includes('@')
                ? 'Run commands'
                : isNarrow
                  ? 'Search or run…'
                  : 'Search devices or run commands'
            }
          />
        </div>
        <Menu.List className="max-h-[min(60vh,420px)] overflow-auto px-1.5 pb-1.5">
          <Menu.Empty className="p-6 text-center text-ink2">{search.empty}</Menu.Empty>
          {visibleSections.map(section => (
            <CommandSection key={section.title} section={section} context={context} onChoose={chooseUnblocked} />
          ))}
          <DeviceSection devices={devices} query={text} />
          <EntitySection matches={entities} query={text} />
          {search.failed && entries.length > 0 && (
            <p className="px-2.5 py-2 text-ink3">Devices cannot be searched right now.</p>
          )}
        </Menu.List>
      </Menu>
      <PaletteFoot hints={hints} note={active && !active.blocked ? undoText(active.command) : undefined} />
      <PaletteStatus
        query={query}
        counts={[
          [entries.length, 'command', 'commands'],
          [devices.length, 'device', 'devices'],
          [entities.length, 'system, model or vendor', 'systems, models or vendors'],
        ]}
        empty={search.empty}
        settled={!search.isLoading}
        note={copied ? 'Link copied' : undefined}
      />
    </>
  )
}

function setTypedText(text: string): void {
  if (overlay.palette) overlay.palette.query = text
}

/**
 * The input, by itself, so that a letter does not render the results. Not cmdk's, which renders the list several times for
 * each letter; `useActiveRow` sets the attribute that leads to the active row.
 */
function PaletteInput(props: { input: RefObject<HTMLInputElement | null>; placeholder: string }) {
  const { input, placeholder } = props
  // Synchronously: React would move the caret of a controlled input that is updated later.
  const { palette } = useSnapshot(overlay, { sync: true })
  const [ids, setIds] = useState<{ own: string | undefined; list: string | undefined }>()
  // cmdk focuses the input by the id that its label names when the mouse moves over a row; without it, the list.
  useLayoutEffect(() => {
    const menu = input.current?.closest('[cmdk-root]')
    setIds({ own: menu?.querySelector('label')?.htmlFor, list: menu?.querySelector('[role=listbox]')?.id })
  }, [input])
  return (
    <input
      ref={input}
      id={ids?.own}
      type="text"
      role="combobox"
      cmdk-input=""
      aria-label="Commands"
      aria-expanded
      aria-controls={ids?.list}
      aria-autocomplete="list"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      data-command="view.palette"
      autoFocus
      value={palette?.query ?? ''}
      placeholder={placeholder}
      className="h-7 min-w-0 flex-1 bg-transparent outline-none"
      onChange={event => setTypedText(event.target.value)}
    />
  )
}

/** Whether a key acts on the results, rather than entering a letter. */
const isAction = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length > 1 || ctrlKey || metaKey || altKey

/** Chooses a command unless it is blocked. If what it acts on is still on its way, it waits for that. */
function chooseUnblocked(entry: CommandMatch): void {
  if (!entry.blocked || pendingSelectionChange() || actsOnPendingRows(entry.command, currentContext()))
    chooseCommand(entry)
}

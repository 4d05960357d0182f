import { Command as Menu } from 'cmdk'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { undoText } from '../../jobs/undo.ts'
import { ArgumentHead } from './ArgumentHead.tsx'
import { ArgumentRows } from './ArgumentRows.tsx'
import type { Asked } from './argumentPrompt.ts'
import { copyLinkTo } from './paletteActions.ts'
import { PaletteFoot, type Hint } from './PaletteFoot.tsx'
import { PaletteStatus } from './PaletteStatus.tsx'
import { pressRow, useActiveRow } from './useActiveRow.ts'
import { useArgumentPage, type ArgumentPage } from './useArgumentPage.ts'
import { usePaletteKeys } from './usePaletteKeys.ts'

/** A command's arguments, a page for each; Backspace on an empty page and Esc go back. */
export function ArgumentPages({ asked, onBack }: { asked: Asked; onBack: () => void }) {
  const { command, context, start } = asked
  const page = useArgumentPage(asked, onBack)
  const { field, given, error, query, options, asking, first } = page
  const [value, setValue] = useState('')
  useEffect(() => setValue(first), [first])
  const root = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useActiveRow(root)
  // Gone back to, what had been typed is selected, so that typing replaces it. Only as its page opens: a dialog that
  // sees to its focus a moment later must not select what has been typed by then.
  useLayoutEffect(() => input.current?.select(), [field])

  // What was typed ahead is still in the field of the palette; what a link brought is nowhere else.
  const backspace = () => page.back(start?.waits === true)
  const escape = () => page.back(false)
  const actionOf = ({ key, target }: KeyboardEvent) => {
    if (key === 'Escape') return escape
    if (key === 'Backspace' && query === '') return backspace
    if (key !== 'Enter') return undefined
    if (target instanceof HTMLButtonElement) return () => target.click()
    return asking && options.length === 0 && query !== '' ? page.chooseFirst : undefined
  }
  const { copied, linkHint, onKeyDown } = usePaletteKeys({
    root,
    subject: command.id,
    copyLink: () =>
      copyLinkTo(command.id, given, start?.waits && command.entity ? context.targets(command.entity) : []),
    actionOf,
    onMove: setValue,
  })
  const hints: readonly Hint[] = [
    { caps: ['↵'], does: page.last ? 'run' : 'next', command: command.id, act: () => pressRow(root.current) },
    { caps: ['⌫'], does: 'back', command: command.id, act: backspace },
    linkHint,
    { caps: ['Esc'], does: 'leave', command: 'view.palette', act: escape },
  ]
  const empty = asking ? 'Searching…' : 'Nothing fits.'

  return (
    <>
      <Menu
        ref={root}
        // It names the field, whatever other name that has.
        label={field?.label ?? command.title}
        shouldFilter={false}
        vimBindings={false}
        loop
        value={value}
        onValueChange={setValue}
        onKeyDown={onKeyDown}
      >
        <ArgumentHead
          asked={asked}
          given={given}
          onChange={one => {
            page.turn(one.query || one.name)
            page.change(one)
          }}
        >
          <Menu.Input
            // A page of its own, so that a screen reader says its name and focus stays in it.
            key={field?.name ?? 'ready'}
            autoFocus
            ref={input}
            data-command={command.id}
            value={query}
            readOnly={!field}
            placeholder={placeholderOf(page)}
            // The library fixes the input's type, so a secret is veiled by its look.
            className={`h-7 min-w-32 flex-1 bg-transparent outline-none ${page.secret ? '[-webkit-text-security:disc]' : ''}`}
            onValueChange={page.type}
          />
        </ArgumentHead>
        {error && (
          <p role="alert" className="px-4 pt-2 text-bad">
            {error}
          </p>
        )}
        <Menu.List className="max-h-[min(60vh,420px)] overflow-auto p-1.5">
          <ArgumentRows asked={asked} page={page} empty={empty} />
        </Menu.List>
      </Menu>
      <PaletteFoot hints={hints} note={undoText(command)} />
      {(page.listed || copied) && (
        <PaletteStatus
          counts={[[options.length, 'choice', 'choices']]}
          empty={empty}
          settled={!asking}
          note={copied ? 'Link copied' : undefined}
        />
      )}
    </>
  )
}

function placeholderOf({ field, unit }: ArgumentPage): string {
  if (!field) return 'Enter runs it'
  return unit && !field.label.endsWith(unit) ? `${field.label}, ${unit}` : field.label
}

import { Command as Menu } from 'cmdk'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { undoText } from '../../jobs/undo.ts'
import { labelWithUnit } from '../../core/fields.ts'
import { ArgumentHead } from './ArgumentHead.tsx'
import { ArgumentRows } from './ArgumentRows.tsx'
import type { ArgumentRequest } from './argumentPrompt.ts'
import { copyLinkTo } from './paletteActions.ts'
import { PaletteFoot, type Hint } from './PaletteFoot.tsx'
import { PaletteStatus } from './PaletteStatus.tsx'
import { clickActiveRow, useActiveRow } from './rows/useActiveRow.ts'
import { useArgumentPage, type ArgumentPage } from './useArgumentPage.ts'
import { usePaletteKeys } from './usePaletteKeys.ts'

/** Prompts for a command's arguments, one page each. Esc, and Backspace in an empty field, go back a page. */
export function ArgumentPages({ request, onBack }: { request: ArgumentRequest; onBack: () => void }) {
  const { command, context, start } = request
  const page = useArgumentPage(request, onBack)
  const { field, entered, error, query, options, isLoading, firstRow } = page
  const [value, setValue] = useState('')
  useEffect(() => setValue(firstRow), [firstRow])
  const root = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useActiveRow(root)
  // Selects the text when a page opens again, so that typing replaces it. Not on focus: the dialog moves the focus a
  // moment later, which would select text that was typed in between.
  useLayoutEffect(() => input.current?.select(), [field])

  // Inline arguments can be edited in the palette's search field, but those of a link only here, so Backspace reaches
  // them too.
  const backspace = () => page.back(start?.needsEnter === true)
  const escape = () => page.back(false)
  const actionOf = ({ key, target }: KeyboardEvent) => {
    if (key === 'Escape') return escape
    if (key === 'Backspace' && query === '') return backspace
    if (key !== 'Enter') return undefined
    if (target instanceof HTMLButtonElement) return () => target.click()
    // A row that the person has moved to is chosen at once, although it is of an earlier query.
    return value === firstRow ? page.chooseWhenLoaded : undefined
  }
  const { copied, linkHint, onKeyDown } = usePaletteKeys({
    root,
    subject: command.id,
    copyLink: () =>
      copyLinkTo(command.id, entered, start?.needsEnter && command.entity ? context.targets(command.entity) : []),
    actionOf,
    onMove: setValue,
  })
  const hints: readonly Hint[] = [
    { caps: ['↵'], label: page.isLast ? 'run' : 'next', command: command.id, act: () => clickActiveRow(root.current) },
    { caps: ['⌫'], label: 'back', command: command.id, act: backspace },
    linkHint,
    { caps: ['Esc'], label: 'cancel', command: 'view.palette', act: escape },
  ]
  const empty = isLoading ? 'Searching…' : 'No matches.'

  return (
    <>
      <Menu
        ref={root}
        // cmdk names the input with it (aria-labelledby), which overrides an aria-label.
        label={field?.label ?? command.title}
        shouldFilter={false}
        vimBindings={false}
        loop
        value={value}
        onValueChange={setValue}
        onKeyDown={onKeyDown}
      >
        <ArgumentHead
          request={request}
          entered={entered}
          onChange={argument => {
            page.open(argument.query || argument.name)
            page.change(argument)
          }}
        >
          <Menu.Input
            // A new input for each page, so that screen readers announce its name.
            key={field?.name ?? 'ready'}
            autoFocus
            ref={input}
            data-command={command.id}
            value={query}
            readOnly={!field}
            placeholder={placeholderOf(page)}
            // cmdk fixes the input's type, so a secret is masked by CSS.
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
          <ArgumentRows request={request} page={page} empty={empty} />
        </Menu.List>
      </Menu>
      <PaletteFoot hints={hints} note={undoText(command)} />
      {(page.hasOptions || copied) && (
        <PaletteStatus
          query={query}
          counts={[[options.length, 'choice', 'choices']]}
          empty={empty}
          settled={!isLoading}
          note={copied ? 'Link copied' : undefined}
        />
      )}
    </>
  )
}

function placeholderOf({ field, unit }: ArgumentPage): string {
  if (!field) return 'Press Enter to run'
  return labelWithUnit(field.label, unit)
}

import { Command as Menu } from 'cmdk'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { metaOf } from '../../../api/contract/fields.ts'
import { momentText } from '../../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../../domain/systemTimeZone.ts'
import { useUnits } from '../../../store/preferences.ts'
import type { Option } from '../../core/command.ts'
import { controlOf, typedValue, unitLabel } from '../../core/fields.ts'
import { chordOf, isApple, keycaps } from '../../keys/keymap.ts'
import { keysOf } from '../../keys/bindings.ts'
import { commandOf } from '../../commands.ts'
import { undoText } from '../../jobs/undo.ts'
import { ArgumentHead, hidden, isSecret } from './ArgumentHead.tsx'
import type { Asked } from './argumentPrompt.ts'
import { copyLinkTo } from './paletteActions.ts'
import { PaletteFoot, type Hint } from './PaletteFoot.tsx'
import { PaletteStatus } from './PaletteStatus.tsx'
import { ReadyPage } from './ReadyPage.tsx'
import { pressRow, stepRow, useActiveRow } from './useActiveRow.ts'
import { useArguments } from './useArguments.ts'
import { useEnterBeforeResults } from './useEnterBeforeResults.ts'
import { useOptions } from './useOptions.ts'

/** A command's arguments, a page for each; Backspace on an empty page and Esc go back. */
export function ArgumentPages({ asked, onBack }: { asked: Asked; onBack: () => void }) {
  const { command, context, start } = asked
  const pages = useArguments(asked, onBack)
  const { field, given, error, setError } = pages
  const [query, setQuery] = useState(start?.typed?.text ?? '')
  const [value, setValue] = useState('')
  const [copied, setCopied] = useState(false)
  // Of a list, what has been taken so far.
  const [taken, setTaken] = useState<readonly Option[]>([])
  const root = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useActiveRow(root)
  const units = useUnits()
  const { options, asking } = useOptions(field, query, context)
  const empty = asking ? 'Searching…' : 'Nothing fits.'

  // Gone back to, what had been typed is selected, so that typing replaces it. Only as its page opens: a dialog that
  // sees to its focus a moment later must not select what has been typed by then.
  useLayoutEffect(() => input.current?.select(), [field])

  const control = field && controlOf(field)
  const listed = control?.kind === 'choice' || control?.kind === 'search' || control?.kind === 'set'
  const many = control?.kind === 'set' || (control?.kind === 'search' && control.many)
  // Enter takes what stands first: what the text finds, or without a text what there is already.
  const keeps = field?.optional === true && !query && taken.length === 0
  const likeliest = listed ? options[0] && keyOf(options[0]) : 'typed'
  const first = !field ? 'ready' : keeps ? 'keep' : many && !query ? 'done' : likeliest
  useEffect(() => setValue(first ?? ''), [first])

  const unit = control && unitLabel(control, units)
  const secret = field !== undefined && isSecret(field)
  const read = control?.kind === 'time' ? readTime(typedValue(control, query, units)) : query

  const turn = (text: string) => {
    setTaken([])
    setQuery(text)
  }
  const back = (each: boolean) => {
    if (taken.length > 0) return setTaken(taken.slice(0, -1))
    turn(pages.back(each) ?? '')
  }
  // What was typed ahead is still in the field of the palette; what a link brought is nowhere else.
  const backspace = () => back(start?.waits === true)
  const escape = () => back(false)
  const give = (chosen: unknown, name: string) => {
    if (pages.give(chosen, name, query)) turn('')
  }
  const choose = (option: Option) => (many ? take(option) : give(option.value, option.name))
  const take = (option: Option) => {
    // Of a set each is there once; taking it again leaves it out.
    const there = control?.kind === 'set' && taken.includes(option)
    setTaken(there ? taken.filter(one => one !== option) : [...taken, option])
    setQuery('')
  }
  const hurry = useEnterBeforeResults({ query, options, asking }, choose)
  const copy = () => {
    const ids = start?.waits && command.entity ? context.targets(command.entity) : []
    void copyLinkTo(command.id, given, ids).then(setCopied)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const onButton = event.target instanceof HTMLButtonElement
    const chord = chordOf(event.nativeEvent, isApple())
    const act =
      event.key === 'Escape'
        ? escape
        : event.key === 'Backspace' && query === ''
          ? backspace
          : chord !== undefined && keysOf(commandOf('link.copy')).includes(chord)
            ? copy
            : event.key !== 'Enter'
              ? undefined
              : onButton
                ? () => (event.target as HTMLButtonElement).click()
                : asking && options.length === 0 && query !== ''
                  ? hurry
                  : undefined
    if (!act) return stepRow(event, root.current, setValue)
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const [linkKeys] = keysOf(commandOf('link.copy'))
  const hints: readonly Hint[] = [
    { caps: ['↵'], does: pages.last ? 'run' : 'next', command: command.id, act: () => pressRow(root.current) },
    { caps: ['⌫'], does: 'back', command: command.id, act: backspace },
    {
      caps: linkKeys ? keycaps(linkKeys, isApple()) : [],
      does: copied ? 'link copied' : 'copy link',
      command: 'link.copy',
      act: copy,
    },
    { caps: ['Esc'], does: 'leave', command: 'view.palette', act: escape },
  ]

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
            turn(one.query || one.name)
            pages.change(one)
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
            placeholder={
              field ? `${field.label}${unit && !field.label.endsWith(unit) ? `, ${unit}` : ''}` : 'Enter runs it'
            }
            // The library fixes the input's type, so a secret is veiled by its look.
            className={`h-7 min-w-32 flex-1 bg-transparent outline-none ${secret ? '[-webkit-text-security:disc]' : ''}`}
            onValueChange={text => {
              setQuery(text)
              setError(undefined)
            }}
          />
        </ArgumentHead>
        {error && (
          <p role="alert" className="px-4 pt-2 text-bad">
            {error}
          </p>
        )}
        <Menu.List className="max-h-[min(60vh,420px)] overflow-auto p-1.5">
          {!field && <ReadyPage asked={asked} onRun={pages.finish} />}
          {listed && <Menu.Empty className="p-6 text-center text-ink2">{empty}</Menu.Empty>}
          {keeps && (
            <Menu.Item
              value="keep"
              data-command={command.id}
              className="palette-item text-ink2"
              onSelect={() => give(undefined, '')}
            >
              {metaOf(field.schema)?.leftOut ?? 'Keep as it is'}
            </Menu.Item>
          )}
          {many && !query && (
            <Menu.Item
              value="done"
              data-command={command.id}
              className="palette-item font-medium"
              onSelect={() =>
                give(
                  taken.map(option => option.value),
                  taken.map(option => option.name).join(', '),
                )
              }
            >
              {taken.length === 0 ? 'None' : `Done: ${taken.map(option => option.name).join(', ')}`}
            </Menu.Item>
          )}
          {options.map(option => (
            <Menu.Item
              key={keyOf(option)}
              value={keyOf(option)}
              data-command={command.id}
              className="palette-item"
              onSelect={() => choose(option)}
            >
              <span>{option.name}</span>
              {option.detail && <span className="truncate text-ink3">{option.detail}</span>}
            </Menu.Item>
          ))}
          {field && control && !listed && (query || !field.optional) && (
            <Menu.Item
              value="typed"
              data-command={command.id}
              className="palette-item"
              onSelect={() => give(typedValue(control, query, units), query)}
            >
              Set to <b>{query === '' ? 'nothing' : secret ? hidden : read}</b> {query && unit}
            </Menu.Item>
          )}
        </Menu.List>
      </Menu>
      <PaletteFoot hints={hints} note={undoText(command)} />
      {(listed || copied) && (
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

/** A time as it was understood, or how to write one. */
function readTime(value: unknown): string {
  const at = Date.parse(String(value))
  return Number.isNaN(at) ? '… such as 2026-03-29 09:00, tomorrow 9:00, 9:00' : momentText(systemTimeZone(), at)
}

/** Two things may have one name. */
const keyOf = (option: Option) => `option ${option.name} ${JSON.stringify(option.value)}`

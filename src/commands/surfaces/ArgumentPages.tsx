import { Command as Menu } from 'cmdk'
import { useEffect, useState, type KeyboardEvent } from 'react'
import * as z from 'zod/mini'
import { momentText } from '../../domain/calendarTexts.ts'
import { ownZone } from '../../domain/ownZone.ts'
import { overlay } from '../../store/overlays.ts'
import { useUnits } from '../../store/preferences.ts'
import type { Command, Field, Option } from '../command.ts'
import { InvalidInput } from '../invalidInput.ts'
import { currentContext } from '../context.ts'
import { fieldIssue } from '../fieldIssue.ts'
import { controlOf, typedValue, unitLabel } from '../fields.ts'
import { matchScore } from '../rank.ts'
import { Icon } from './Icon.tsx'
import { useChoices } from './useChoices.ts'
import { PaletteFoot } from './PaletteFoot.tsx'

interface Given {
  readonly field: Field
  readonly value: unknown
  readonly name: string
  /** What had been typed on its page, for going back to it. */
  readonly query: string
}

/** A command's arguments, a page for each; Backspace on an empty page and Esc go back. */
export function ArgumentPages({ command, onBack }: { command: Command; onBack: () => void }) {
  const [given, setGiven] = useState<readonly Given[]>([])
  const [query, setQuery] = useState('')
  const [value, setValue] = useState('')
  const [error, setError] = useState<string>()
  // Of a list, what has been taken so far.
  const [taken, setTaken] = useState<readonly Option[]>([])
  const units = useUnits()
  const field = command.fields[given.length]
  const options = useOptions(field, query)

  const control = field && controlOf(field)
  const listed = control?.kind === 'choice' || control?.kind === 'search' || control?.kind === 'set'
  const many = control?.kind === 'set' || (control?.kind === 'search' && control.many)
  // Enter takes what stands first: what the text finds, or without a text what there is already.
  const keeps = field?.optional === true && !query && taken.length === 0
  const likeliest = listed ? options[0] && keyOf(options[0]) : 'typed'
  const first = keeps ? 'keep' : many && !query ? 'done' : likeliest
  useEffect(() => setValue(first ?? ''), [first])
  if (!field || !control) return null
  const unit = unitLabel(control, units)
  const secret = isSecret(field)
  const read = control.kind === 'time' ? readTime(typedValue(control, query, units)) : query

  const back = () => {
    const last = given.at(-1)
    setError(undefined)
    if (taken.length > 0) return setTaken(taken.slice(0, -1))
    if (!last) return onBack()
    setGiven(given.slice(0, -1))
    setQuery(last.query)
  }
  const give = (chosen: unknown, name: string) => {
    const parsed = z.safeParse(field.schema, chosen, { reportInput: true })
    if (!parsed.success) {
      setError(parsed.error.issues.map(issue => fieldIssue(issue, field.schema)).join(', '))
      return
    }
    const all = [...given, { field, value: chosen, name, query }]
    const input = Object.fromEntries(all.filter(one => one.value !== undefined).map(one => [one.field.name, one.value]))
    const wrong = problemOf(command, field, input)
    if (wrong) return setError(wrong)
    if (all.length < command.fields.length) {
      setGiven(all)
      setTaken([])
      setQuery('')
      setError(undefined)
      return
    }
    const waiting = overlay.palette?.asked
    overlay.palette = undefined
    waiting?.answer(input)
  }
  const take = (option: Option) => {
    // Of a set each is there once; taking it again leaves it out.
    const there = control.kind === 'set' && taken.includes(option)
    setTaken(there ? taken.filter(one => one !== option) : [...taken, option])
    setQuery('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || (event.key === 'Backspace' && query === '')) {
      event.preventDefault()
      event.stopPropagation()
      back()
    }
  }

  return (
    <Menu
      // It names the field, whatever other name that has.
      label={field.label}
      shouldFilter={false}
      vimBindings={false}
      loop
      value={value}
      onValueChange={setValue}
      onKeyDown={onKeyDown}
    >
      <div className="flex min-h-[50px] flex-wrap items-center gap-2 border-b border-line px-4 py-2 text-[15px]">
        {command.icon && <Icon name={command.icon} />}
        <span className="rounded-md bg-accent-soft px-2 py-0.5 text-[11px] font-medium text-accent">
          {command.title}
        </span>
        {given
          .filter(one => one.value !== undefined)
          .map(one => (
            <span key={one.field.name} className="rounded-md border border-line px-2 py-0.5 text-[11px] text-ink2">
              {one.field.label}: {isSecret(one.field) ? hidden : one.name}
            </span>
          ))}
        <Menu.Input
          // A page of its own, so that a screen reader says its name and focus stays in it.
          key={given.length}
          autoFocus
          // Gone back to, what had been typed is selected, so that typing replaces it.
          onFocus={event => event.currentTarget.select()}
          value={query}
          placeholder={`${field.label}${unit && !field.label.endsWith(unit) ? `, ${unit}` : ''}`}
          // The library fixes the input's type, so a secret is veiled by its look.
          className={`min-w-32 flex-1 bg-transparent outline-none ${secret ? '[-webkit-text-security:disc]' : ''}`}
          onValueChange={text => {
            setQuery(text)
            setError(undefined)
          }}
        />
      </div>
      {error && (
        <p role="alert" className="px-4 pt-2 text-bad">
          {error}
        </p>
      )}
      <Menu.List className="max-h-[min(60vh,420px)] overflow-auto p-1.5">
        {listed && <Menu.Empty className="p-6 text-center text-ink2">Nothing fits.</Menu.Empty>}
        {keeps && (
          <Menu.Item value="keep" className="palette-item text-ink2" onSelect={() => give(undefined, '')}>
            Keep as it is
          </Menu.Item>
        )}
        {many && !query && (
          <Menu.Item
            value="done"
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
            className="palette-item"
            onSelect={() => (many ? take(option) : give(option.value, option.name))}
          >
            <span>{option.name}</span>
            {option.detail && <span className="truncate text-ink3">{option.detail}</span>}
          </Menu.Item>
        ))}
        {!listed && (query || !field.optional) && (
          <Menu.Item
            value="typed"
            className="palette-item"
            onSelect={() => give(typedValue(control, query, units), query)}
          >
            Set to <b>{query === '' ? 'nothing' : secret ? hidden : read}</b> {query && unit}
          </Menu.Item>
        )}
      </Menu.List>
      <PaletteFoot
        hints={[
          ['↵', given.length + 1 < command.fields.length ? 'next' : 'run'],
          ['⌫', 'back'],
          ['Esc', 'back'],
        ]}
      />
    </Menu>
  )
}

/** A time as it was understood, or how to write one. */
function readTime(value: unknown): string {
  const at = Date.parse(String(value))
  return Number.isNaN(at) ? '… such as 2026-03-29 09:00, tomorrow 9:00, 9:00' : momentText(ownZone(), at)
}

/** Stands for what was typed where others must not read it. */
const hidden = '••••••••'
function isSecret(field: Field): boolean {
  const control = controlOf(field)
  return control.kind === 'text' && control.secret
}

/** What is wrong with a field in the light of those before it: said on its page, where it can be mended. */
function problemOf(command: Command, last: Field, input: unknown): string | undefined {
  try {
    command.prepare(currentContext(), input)
  } catch (error) {
    if (error instanceof InvalidInput) return error.fields[last.name]
    throw error
  }
  return undefined
}

const keyOf = (option: Option) => `option ${option.name}`

function useOptions(field: Field | undefined, query: string): readonly Option[] {
  // What is searched for elsewhere comes back matched already.
  const found = useChoices(field?.choices, query)
  const control = field && controlOf(field)
  if (control?.kind === 'search') return found
  if (control?.kind !== 'choice' && control?.kind !== 'set') return []
  return control.options.filter(option => matchScore(query, option.name) > 0)
}

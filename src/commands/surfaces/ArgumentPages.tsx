import { Command as Menu } from 'cmdk'
import { useEffect, useMemo, useState, type KeyboardEvent } from 'react'
import * as z from 'zod/mini'
import { issueMessage } from '../../api/contract/issues.ts'
import { overlay } from '../../store/overlays.ts'
import { useUnits } from '../../store/preferences.ts'
import type { Command, Field, Option } from '../command.ts'
import { currentContext } from '../context.ts'
import { controlOf, typedValue, unitLabel } from '../fields.ts'
import { matchScore } from '../rank.ts'
import { Icon } from './Icon.tsx'
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
  const units = useUnits()
  const field = command.fields[given.length]
  const options = useOptions(field, query)

  const first = field?.optional && !query ? 'keep' : options[0] ? keyOf(options[0]) : ''
  useEffect(() => setValue(first), [first])
  if (!field) return null
  const control = controlOf(field)
  const listed = control.kind === 'choice' || control.kind === 'search'
  const unit = unitLabel(control, units)

  const back = () => {
    const last = given.at(-1)
    setError(undefined)
    if (!last) return onBack()
    setGiven(given.slice(0, -1))
    setQuery(last.query)
  }
  const give = (chosen: unknown, name: string) => {
    const parsed = z.safeParse(field.schema, chosen, { reportInput: true })
    if (!parsed.success) {
      setError(parsed.error.issues.map(issue => issueMessage(issue, field.label)).join(', '))
      return
    }
    const all = [...given, { field, value: chosen, name, query }]
    if (all.length < command.fields.length) {
      setGiven(all)
      setQuery('')
      setError(undefined)
      return
    }
    const waiting = overlay.palette?.asked
    overlay.palette = undefined
    waiting?.answer(
      Object.fromEntries(all.filter(one => one.value !== undefined).map(one => [one.field.name, one.value])),
    )
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
              {one.field.label}: {one.name}
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
          className="min-w-32 flex-1 bg-transparent outline-none"
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
        {field.optional && !query && (
          <Menu.Item value="keep" className="palette-item text-ink2" onSelect={() => give(undefined, '')}>
            Keep as it is
          </Menu.Item>
        )}
        {options.map(option => (
          <Menu.Item
            key={keyOf(option)}
            value={keyOf(option)}
            className="palette-item"
            onSelect={() => give(option.value, option.name)}
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
            Set to <b>{query || 'nothing'}</b> {query && unit}
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

const keyOf = (option: Option) => `option ${option.name}`

function useOptions(field: Field | undefined, query: string): readonly Option[] {
  const control = field && controlOf(field)
  const [found, setFound] = useState<readonly Option[]>([])
  const context = useMemo(currentContext, [])
  const choices = field?.choices
  useEffect(() => {
    if (!choices) return undefined
    const stale = new AbortController()
    Promise.resolve(choices(context, query, stale.signal)).then(
      options => !stale.signal.aborted && setFound(options),
      // Aborted, or out of reach: the page stays as it was and the connection's state is shown elsewhere.
      () => undefined,
    )
    return () => stale.abort()
  }, [choices, context, query])
  // What is searched for elsewhere comes back matched already.
  if (control?.kind === 'search') return found
  return control?.kind === 'choice' ? control.options.filter(option => matchScore(query, option.name) > 0) : []
}

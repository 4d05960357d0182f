import { Combobox, ComboboxButton, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useRef, useState, type ComponentProps } from 'react'
import type { Choices, Option } from '../../core/types.ts'
import { Icon } from '../buttons/Icon.tsx'
import { useChoices } from './useChoices.ts'
import { formatNumber } from '../../../domain/format.ts'
import { useFocusAfterRemoval } from '../../../ui/focus/focusAfterRemoval.ts'

interface Props {
  /** The id of the command that the argument belongs to. */
  command: string
  inputId: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
  label: string
  choices: Choices
  /** An Option or nothing; with `many`, a list of Options. */
  value: unknown
  many: boolean
  onChange: (value: unknown) => void
}

/** Options beyond this number are shown as a count. */
const maxShown = 100

const list =
  'raised z-40 w-(--input-width) overflow-auto rounded-lg p-1 [--anchor-gap:4px] [--anchor-max-height:16rem] empty:invisible'
const entry = 'flex cursor-pointer items-baseline gap-2 rounded-md px-2.5 py-1.5 data-focus:bg-accent-soft'

/** A combobox that searches entities by name, for one of them or, with `many`, an ordered list. */
export function ReferenceField(props: Props) {
  const { command, choices, many, onChange } = props
  const [query, setQuery] = useState('')
  const [focusCount, setFocusCount] = useState(0)
  const { options } = useChoices(choices, query, { reloadKey: focusCount })
  const selected: readonly Option[] = Array.isArray(props.value) ? (props.value as readonly Option[]) : []
  const field = useRef<HTMLDivElement>(null)
  useFocusAfterRemoval(field, 'li button', props.inputId)
  const single = many ? null : ((props.value as Option | null | undefined) ?? null)

  const choose = (option: Option | null) => {
    setQuery('')
    if (!many) onChange(option ?? undefined)
    else if (option) onChange([...selected, option])
  }
  return (
    <div ref={field} className="grid gap-1.5">
      {many && selected.length > 0 && (
        <ul className="flex flex-wrap gap-1.5" aria-label={`Selected: ${props.label}`}>
          {selected.slice(0, maxShown).map((option, index) => (
            <li key={index}>
              <button
                type="button"
                data-command={command}
                aria-label={`Remove ${option.name}`}
                className="flex items-center gap-1 rounded-md border border-line bg-bg px-2 py-0.5 text-[12px] hover:border-ink3"
                onClick={() => onChange(selected.filter((_, other) => other !== index))}
              >
                {option.name} <Icon name="close" size={11} />
              </button>
            </li>
          ))}
          {selected.length > maxShown && (
            <li className="px-1 py-0.5 text-[12px] text-ink2">+{formatNumber(selected.length - maxShown)} more</li>
          )}
        </ul>
      )}
      <Combobox value={single} by="value" onChange={choose} onClose={() => setQuery('')}>
        <div className="relative">
          <ComboboxInput
            as={DescribedInput}
            id={props.inputId}
            describedBy={props.describedBy}
            aria-required={props.required ? true : undefined}
            aria-invalid={props.invalid ? true : undefined}
            className="input w-full pr-9"
            placeholder={many ? 'Add…' : 'Choose…'}
            autoComplete="off"
            displayValue={(option: Option | null) => option?.name ?? ''}
            onFocus={() => setFocusCount(focusCount + 1)}
            onChange={event => setQuery(event.target.value)}
          />
          <ComboboxButton
            data-command={command}
            aria-label={`Choices: ${props.label}`}
            className="absolute inset-y-0 right-0 grid w-9 place-items-center text-ink3 hover:text-ink"
          >
            <Icon name="down" />
          </ComboboxButton>
        </div>
        <ComboboxOptions modal={false} anchor="bottom start" className={list}>
          {options.map(option => (
            <ComboboxOption key={String(option.value)} data-command={command} value={option} className={entry}>
              <span>{option.name}</span>
              {option.detail && <span className="truncate text-[12px] text-ink3">{option.detail}</span>}
            </ComboboxOption>
          ))}
        </ComboboxOptions>
      </Combobox>
    </div>
  )
}

/** An input that keeps its aria-describedby: Headless UI overwrites the attribute with its own, or removes it. */
function DescribedInput({ describedBy, ...rest }: ComponentProps<'input'> & { describedBy: string | undefined }) {
  return <input {...rest} aria-describedby={describedBy} />
}

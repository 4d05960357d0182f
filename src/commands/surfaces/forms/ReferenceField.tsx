import { Combobox, ComboboxButton, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useState, type ComponentProps } from 'react'
import type { Choices, Option } from '../../core/types.ts'
import { Icon } from '../buttons/Icon.tsx'
import { useChoices } from './useChoices.ts'

interface Props {
  /** The id of the command that it is an argument of. */
  command: string
  inputId: string
  describedBy: string | undefined
  invalid: boolean
  label: string
  choices: Choices
  /** One or none, or a list. */
  value: unknown
  many: boolean
  onChange: (value: unknown) => void
}

/** Of more nobody reads each; they are told by number. */
const maxDrawn = 100

const list =
  'raised z-40 w-(--input-width) overflow-auto rounded-lg p-1 [--anchor-gap:4px] [--anchor-max-height:16rem] empty:invisible'
const entry = 'flex cursor-pointer items-baseline gap-2 rounded-md px-2.5 py-1.5 data-focus:bg-accent-soft'

/** Something else is chosen by typing part of its name: one of it, or several, in their order. */
export function ReferenceField(props: Props) {
  const { command, choices, many, onChange } = props
  const [query, setQuery] = useState('')
  const [visits, setVisits] = useState(0)
  const { options } = useChoices(choices, query, { visit: visits })
  const chosen: readonly Option[] = Array.isArray(props.value) ? (props.value as readonly Option[]) : []
  const one = many ? null : ((props.value as Option | null | undefined) ?? null)

  const choose = (option: Option | null) => {
    setQuery('')
    if (!many) onChange(option ?? undefined)
    else if (option) onChange([...chosen, option])
  }
  return (
    <div className="grid gap-1.5">
      {many && chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1.5" aria-label={`Chosen: ${props.label}`}>
          {chosen.slice(0, maxDrawn).map((option, index) => (
            <li key={index}>
              <button
                type="button"
                data-command={command}
                aria-label={`Take out ${option.name}`}
                className="rounded-md border border-line bg-bg px-2 py-0.5 text-[12px] hover:border-ink3"
                onClick={() => onChange(chosen.filter((_, place) => place !== index))}
              >
                {option.name} <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
          {chosen.length > maxDrawn && (
            <li className="px-1 py-0.5 text-[12px] text-ink2">
              +{(chosen.length - maxDrawn).toLocaleString('en')} more
            </li>
          )}
        </ul>
      )}
      <Combobox value={one} by="value" onChange={choose} onClose={() => setQuery('')}>
        <div className="relative">
          <ComboboxInput
            as={DescribedInput}
            id={props.inputId}
            describedBy={props.describedBy}
            aria-invalid={props.invalid ? true : undefined}
            className="input w-full pr-9"
            placeholder={many ? 'Add…' : 'Choose…'}
            autoComplete="off"
            displayValue={(option: Option | null) => option?.name ?? ''}
            onFocus={() => setVisits(visits + 1)}
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

/** The library puts its own descriptions, or none, in place of those it is given; so the row's comes last. */
function DescribedInput({ describedBy, ...given }: ComponentProps<'input'> & { describedBy: string | undefined }) {
  return <input {...given} aria-describedby={describedBy} />
}

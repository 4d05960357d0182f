import { useState } from 'react'
import { useUnits } from '../../../store/preferences.ts'
import type { Option } from '../../core/types.ts'
import { controlOf, typedValue, unitLabel } from '../../core/fields.ts'
import { isSecret } from './ArgumentHead.tsx'
import type { Asked } from './argumentPrompt.ts'
import { useArguments } from './useArguments.ts'
import { useEnterBeforeResults } from './useEnterBeforeResults.ts'
import { useOptions } from './useOptions.ts'

/** Two things may have one name. */
export const keyOf = (option: Option) => `option ${option.name} ${JSON.stringify(option.value)}`

/** The page of the argument that is asked for now: what has been typed and taken on it, and what it offers. */
export function useArgumentPage(asked: Asked, onBack: () => void) {
  const { context, start } = asked
  const pages = useArguments(asked, onBack)
  const { field, setError } = pages
  const [query, setQuery] = useState(start?.typed?.text ?? '')
  // Of a list, what has been taken so far.
  const [taken, setTaken] = useState<readonly Option[]>([])
  const units = useUnits()
  const { options, asking } = useOptions(field, query, context)

  const control = field && controlOf(field)
  const listed = control?.kind === 'choice' || control?.kind === 'search' || control?.kind === 'set'
  const many = control?.kind === 'set' || (control?.kind === 'search' && control.many)
  const keeps = field?.optional === true && !query && taken.length === 0

  const turn = (text: string) => {
    setTaken([])
    setQuery(text)
  }
  const back = (each: boolean) => {
    if (taken.length > 0) return setTaken(taken.slice(0, -1))
    turn(pages.back(each) ?? '')
  }
  const give = (chosen: unknown, name: string) => {
    if (pages.give(chosen, name, query)) turn('')
  }
  const take = (option: Option) => {
    // Of a set each is there once; taking it again leaves it out.
    const there = control?.kind === 'set' && taken.includes(option)
    setTaken(there ? taken.filter(one => one !== option) : [...taken, option])
    setQuery('')
  }
  const choose = (option: Option) => (many ? take(option) : give(option.value, option.name))

  /** Returns the value of the row that Enter takes: what the text finds, or without a text what there is already. */
  function firstRow(): string {
    if (!field) return 'ready'
    if (keeps) return 'keep'
    if (many && !query) return 'done'
    if (!listed) return 'typed'
    return options[0] ? keyOf(options[0]) : ''
  }

  return {
    ...pages,
    query,
    taken,
    options,
    asking,
    control,
    unit: control && unitLabel(control, units),
    secret: field !== undefined && isSecret(field),
    /** Whether one chooses among options, and whether several of them. */
    listed,
    many,
    /** Whether the argument may be left out here. */
    keeps,
    first: firstRow(),
    /** What was typed, as the schema takes it. */
    typed: control && typedValue(control, query, units),
    type(text: string) {
      setQuery(text)
      setError(undefined)
    },
    turn,
    back,
    give,
    choose,
    chooseFirst: useEnterBeforeResults({ query, options, asking }, choose),
  }
}
export type ArgumentPage = ReturnType<typeof useArgumentPage>

import { useState } from 'react'
import { useUnits } from '../../../store/preferences.ts'
import type { Option } from '../../core/types.ts'
import { controlOf, typedValue, unitLabel } from '../../core/fields.ts'
import { isSecret } from './ArgumentHead.tsx'
import type { ArgumentRequest } from './argumentPrompt.ts'
import { useArguments } from './useArguments.ts'
import { useEnterBeforeResults } from './useEnterBeforeResults.ts'
import { useOptions } from './useOptions.ts'

/** Returns a row value for an option; includes its value, because names are not unique. */
export const keyOf = (option: Option) => `option ${option.name} ${JSON.stringify(option.value)}`

/** Returns the state and actions of the current argument page: its query, options and picked options. */
export function useArgumentPage(request: ArgumentRequest, onBack: () => void) {
  const { context, start } = request
  const pages = useArguments(request, onBack)
  const { field, setError } = pages
  const [query, setQuery] = useState(start?.typed?.text ?? '')
  /** The options picked so far, for an argument with several values. */
  const [picked, setPicked] = useState<readonly Option[]>([])
  const units = useUnits()
  const { options, state } = useOptions(field, query, context)

  const control = field && controlOf(field)
  const hasOptions = control?.kind === 'choice' || control?.kind === 'search' || control?.kind === 'set'
  const multiple = control?.kind === 'set' || (control?.kind === 'search' && control.many)
  const canSkip = field?.optional === true && !query && picked.length === 0

  const open = (text: string) => {
    setPicked([])
    setQuery(text)
  }
  const back = (includeInitial: boolean) => {
    if (picked.length > 0) return setPicked(picked.slice(0, -1))
    open(pages.back(includeInitial) ?? '')
  }
  const submit = (submitted: unknown, name: string) => {
    if (pages.submit(submitted, name, query)) open('')
  }
  const pick = (option: Option) => {
    // A set has each option once; picking it again removes it.
    const isPicked = control?.kind === 'set' && picked.includes(option)
    setPicked(isPicked ? picked.filter(other => other !== option) : [...picked, option])
    setQuery('')
  }
  const choose = (option: Option) => (multiple ? pick(option) : submit(option.value, option.name))

  const chooseWhenLoaded = useEnterBeforeResults({ query, state }, () => options[0] && choose(options[0]))

  /** Returns the value of the row that Enter chooses: the first match of the query, or without a query the default. */
  function firstRow(): string {
    if (!field) return 'ready'
    if (canSkip) return 'keep'
    if (multiple && !query) return 'done'
    if (!hasOptions) return 'typed'
    return options[0] ? keyOf(options[0]) : ''
  }

  return {
    ...pages,
    query,
    picked,
    options,
    /** Whether the options of the query have not arrived. */
    isLoading: state !== 'settled',
    control,
    unit: control && unitLabel(control, units),
    secret: field !== undefined && isSecret(field),
    /** Whether the argument is chosen from options, instead of typed. */
    hasOptions,
    /** Whether several options can be picked. */
    multiple,
    /** Whether the first row leaves the argument out. */
    canSkip,
    firstRow: firstRow(),
    /** The query, parsed for the field's schema. */
    parsed: control && typedValue(control, query, units),
    type(text: string) {
      setQuery(text)
      setError(undefined)
    },
    /** Opens a page with this text, and nothing picked. */
    open,
    back,
    submit,
    choose,
    /** Chooses the first option of the query once it has arrived; undefined if Enter does not wait for it. */
    chooseWhenLoaded: state === 'loading' && query !== '' ? chooseWhenLoaded : undefined,
  }
}
export type ArgumentPage = ReturnType<typeof useArgumentPage>

/** The palette's command sections, with inline arguments whose choices have to be fetched. */
import { useCallback, useMemo, useState } from 'react'
import { bssidInPath } from '../../../domain/lists/routes.ts'
import { useUnits } from '../../../store/preferences.ts'
import { selections } from '../../../store/selection.ts'
import type { Command, Field, Option } from '../../core/types.ts'
import type { Context } from '../../core/context.ts'
import { searchCommands, type CommandMatch, type Section } from '../../palette/search.ts'
import type { SearchableCommand } from '../../palette/searchable.ts'
import type { Lookup } from '../../arguments/inlineArguments.ts'
import { useThrottledEffect } from '../forms/useAsyncOptions.ts'
import { searchInterval } from './useServerSearch.ts'

/** A request for the choices of an inline argument. */
interface ChoiceRequest {
  readonly key: string
  readonly field: Field
  readonly text: string
}
const keyOf = (command: Command, field: Field, text: string) => `${command.id} ${field.name} ${text}`

/** Returns the request for the choices that a match needs and that are not fetched yet. */
function requestsFor({ command, inlineArguments }: CommandMatch): readonly ChoiceRequest[] {
  const ambiguous = inlineArguments?.ambiguous
  if (!ambiguous || ambiguous.matches !== undefined) return []
  const { field, text } = ambiguous
  return [{ key: keyOf(command, field, text), field, text }]
}

/** Fetched choices by `keyOf` their request. */
type FetchedChoices = ReadonlyMap<string, readonly Option[]>

/** The most requests for one query; the best matches come first. */
const maxConcurrent = 6
const none: FetchedChoices = new Map()

/** Returns the sections for a query. Missing choices are fetched, and update the sections. */
export function useSections(
  text: string,
  searchableCommands: readonly SearchableCommand[],
  context: Context,
): readonly Section[] {
  const units = useUnits()
  const isSearch = bssidInPath(context.path) === undefined && selections.devices.query !== undefined
  const [fetched, setFetched] = useState(none)
  const { sections, requests } = useMemo(() => {
    const lookup: Lookup = (command, field, argument) => fetched.get(keyOf(command, field, argument))
    const all = searchCommands(text, searchableCommands, { units, lookup, isSearch })
    const missing = all.flatMap(({ entries }) => entries.flatMap(requestsFor))
    return { sections: all, requests: missing.slice(0, maxConcurrent) }
  }, [text, searchableCommands, fetched, units, isSearch])

  const fetchChoices = useCallback(
    (signal: AbortSignal) => {
      const fetchOne = async ({ key, field, text: argument }: ChoiceRequest) =>
        [key, (await field.choices?.(context, argument, signal)) ?? []] as const
      // A failed request counts as no choices: the argument's own page fetches them again.
      const orNone = (request: ChoiceRequest) => fetchOne(request).catch(() => [request.key, []] as const)
      void Promise.all(requests.map(orNone)).then(responses => {
        if (!signal.aborted) setFetched(previous => new Map([...previous, ...responses]))
      })
    },
    [requests, context],
  )
  useThrottledEffect(requests.length > 0 ? fetchChoices : undefined, searchInterval)
  return sections
}

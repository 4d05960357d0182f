/** What the arguments that are typed ahead may be, where that has to be looked for. */
import { useCallback, useMemo, useState } from 'react'
import { useUnits } from '../../../store/preferences.ts'
import type { Command, Field, Option } from '../../core/types.ts'
import type { Context } from '../../core/context.ts'
import { searchCommands, type Candidate, type CommandMatch, type Section } from '../../palette/search.ts'
import type { Lookup } from '../../arguments/inlineArguments.ts'
import { useAfterPause } from '../forms/useAsyncOptions.ts'
import { quiet } from './usePaletteFinds.ts'

interface Wanted {
  readonly key: string
  readonly field: Field
  readonly text: string
}
const keyOf = (command: Command, field: Field, text: string) => `${command.id} ${field.name} ${text}`

/** What is not known yet of an entry that is shown. */
function wantedFor({ command, ahead }: CommandMatch): readonly Wanted[] {
  const unsure = ahead?.unsure
  if (!unsure || unsure.count !== undefined) return []
  const { field, text } = unsure
  return [{ key: keyOf(command, field, text), field, text }]
}

type Answers = ReadonlyMap<string, readonly Option[]>

/** At most so many questions for one text; the likeliest commands ask first. */
const maxConcurrent = 6
const none: Answers = new Map()

/** The sections for a query, as far as is known yet; what has to be looked up for it is, after a pause. */
export function useSections(text: string, candidates: readonly Candidate[], context: Context): readonly Section[] {
  const units = useUnits()
  const [answers, setAnswers] = useState(none)
  const { sections, wanted } = useMemo(() => {
    const lookup: Lookup = (command, field, of) => answers.get(keyOf(command, field, of))
    const all = searchCommands(text, candidates, { units, lookup })
    return { sections: all, wanted: all.flatMap(({ entries }) => entries.flatMap(wantedFor)).slice(0, maxConcurrent) }
  }, [text, candidates, answers, units])

  const ask = useCallback(
    (signal: AbortSignal) => {
      const look = async ({ key, field, text: of }: Wanted) =>
        [key, (await field.choices?.(context, of, signal)) ?? []] as const
      // Out of reach is as if nothing were called that: the argument's own page asks again.
      void Promise.all(wanted.map(one => look(one).catch(() => [one.key, []] as const))).then(answered => {
        if (!signal.aborted) setAnswers(before => new Map([...before, ...answered]))
      })
    },
    [wanted, context],
  )
  useAfterPause(wanted.length > 0 ? ask : undefined, quiet)
  return sections
}

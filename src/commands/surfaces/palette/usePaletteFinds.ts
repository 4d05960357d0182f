/** What the server finds while one types in the palette: asked for after a pause, and no longer once it is stale. */
import { useAsyncOptions, type AsyncOptions } from '../forms/useAsyncOptions.ts'

/** Milliseconds of quiet before the server is asked. */
export const quiet = 120

export interface Finds<Thing> {
  readonly found: readonly Thing[]
  readonly state: AsyncOptions<Thing>['state']
}

/** Returns what `find` finds for a text; nothing where there is no text, or where the search failed. */
export function useFinds<Thing>(
  text: string | undefined,
  find: (text: string, signal: AbortSignal) => Promise<readonly Thing[]>,
  wordsOf: (thing: Thing) => string,
): Finds<Thing> {
  const search = text === undefined ? undefined : find
  const { options, state } = useAsyncOptions(search, text ?? '', { wordsOf, delay: quiet })
  return { found: state === 'failed' ? [] : options, state }
}

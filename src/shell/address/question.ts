/** What a screen shows, as parameters of its address: read from a table of parameters, and written by it. Pure. */

type Value = string | number | undefined
/** Returns what the text of a parameter means; undefined where it means nothing, and then it is ignored. */
type Reader<V> = (text: string) => V | undefined

export interface Question<State> {
  readonly defaults: State
  /** The query of the address without its question mark; defaults are left out. */
  encode(state: State): string
  /** Those parameters of a query that mean something. */
  decode(query: string): Partial<State>
}

/** Parameters are written in the order of `readers`. */
export function question<State extends { readonly [Name in keyof State]: Value }>(
  defaults: State,
  readers: { readonly [Name in keyof State]-?: Reader<State[Name]> },
): Question<State> {
  const names = Object.keys(readers) as (keyof State & string)[]
  return {
    defaults,
    encode(state) {
      const params = new URLSearchParams()
      for (const name of names) {
        const value = state[name]
        if (value !== undefined && value !== defaults[name]) params.set(name, String(value))
      }
      // These two may stand in a query as they are, which is easier to read.
      return params.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
    },
    decode(query) {
      const params = new URLSearchParams(query)
      const found: Partial<State> = {}
      for (const name of names) {
        const text = params.get(name)
        const value = text === null ? undefined : readers[name](text)
        if (value !== undefined) found[name] = value
      }
      return found
    },
  }
}

export const oneOf =
  <V extends string | number>(values: readonly V[]): Reader<V> =>
  text =>
    values.find(value => String(value) === text)

export const textUpTo =
  (maxLength: number): Reader<string> =>
  text =>
    text.length <= maxLength ? text : undefined

export const wholeNumberUpTo =
  (max: number): Reader<number> =>
  text =>
    /^[1-9]\d*$/.test(text) && Number(text) <= max ? Number(text) : undefined

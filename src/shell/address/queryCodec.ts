/** Converts a screen's state to and from URL parameters, by a table of parameter parsers. */

type Value = string | number | undefined
/** Parses a parameter. Returns undefined for invalid text; the parameter is then ignored. */
type ParamParser<V> = (text: string) => V | undefined

export interface QueryCodec<State> {
  readonly defaults: State
  /** Returns the query string of a state without the question mark, omitting default values. */
  encode(state: State): string
  /** Returns the valid parameters of a query string. */
  decode(query: string): Partial<State>
}

/** Returns a codec that writes parameters in the order of `parsers`. */
export function queryCodec<State extends { readonly [Name in keyof State]: Value }>(
  defaults: State,
  parsers: { readonly [Name in keyof State]-?: ParamParser<State[Name]> },
): QueryCodec<State> {
  const names = Object.keys(parsers) as (keyof State & string)[]
  return {
    defaults,
    encode(state) {
      const params = new URLSearchParams()
      for (const name of names) {
        const value = state[name]
        if (value !== undefined && value !== defaults[name]) params.set(name, String(value))
      }
      // A query may contain these two unescaped, which is easier to read.
      return params.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
    },
    decode(query) {
      const params = new URLSearchParams(query)
      const state: Partial<State> = {}
      for (const name of names) {
        const text = params.get(name)
        const value = text === null ? undefined : parsers[name](text)
        if (value !== undefined) state[name] = value
      }
      return state
    },
  }
}

/** Returns a parser for one of the given values. */
export const oneOf =
  <V extends string | number>(values: readonly V[]): ParamParser<V> =>
  text =>
    values.find(value => String(value) === text)

/** Returns a parser for text of at most `maxLength` characters. */
export const textUpTo =
  (maxLength: number): ParamParser<string> =>
  text =>
    text.length <= maxLength ? text : undefined

/** Returns a parser for whole numbers from 1 to `max`. */
export const wholeNumberUpTo =
  (max: number): ParamParser<number> =>
  text =>
    /^[1-9]\d*$/.test(text) && Number(text) <= max ? Number(text) : undefined

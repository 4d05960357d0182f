/** Reads the arguments of a call. */
import { parseArgs } from 'node:util'
import { usageError } from './failure.ts'
import type { Option } from './options.ts'

const text = (name: string, placeholder: string): Option => ({
  name,
  field: name,
  placeholder,
  isRequired: false,
  read: given => given,
})
const flag = (name: string): Option => ({ ...text(name, ''), placeholder: undefined })

/** The options that the program adds to those of the contract. */
export const ownOptions = {
  json: flag('json'),
  url: text('url', 'URL'),
  help: flag('help'),
  /** Confirms that something is deleted. */
  yes: flag('yes'),
  /** All pages of a list, or a command for all devices. */
  all: flag('all'),
  preview: flag('preview'),
  /** Does not wait for the end of a job. */
  detach: flag('detach'),
  ids: text('ids', 'A,B'),
  idsFile: text('ids-file', 'FILE'),
  file: text('file', 'FILE'),
} as const

/** Options of every call. */
export const generalOptions: readonly Option[] = [ownOptions.json, ownOptions.url, ownOptions.help]

export interface Arguments {
  readonly positionals: readonly string[]
  /** Returns what was typed for an option; undefined if it was not. */
  textOf(option: Option): string | undefined
  isSet(option: Option): boolean
  /** Returns the values of those options that were typed, by field. Throws a usage error for what cannot be one. */
  valuesOf(options: readonly Option[]): Record<string, unknown>
}

/** Reads arguments by the options that a call has. Throws a usage error for unknown ones. */
export function readArguments(args: readonly string[], options: readonly Option[]): Arguments {
  const { positionals, values } = parse(args, options)
  const textOf = ({ name }: Option) => (values[name] === undefined ? undefined : String(values[name]))
  return {
    positionals,
    textOf,
    isSet: option => values[option.name] === true,
    valuesOf: chosen =>
      Object.fromEntries(
        chosen.flatMap(option => {
          const given = textOf(option)
          return given === undefined ? [] : [[option.field, option.read(given)]]
        }),
      ),
  }
}

function parse(args: readonly string[], options: readonly Option[]) {
  const known = options.map(({ name, placeholder }) => [
    name,
    { type: placeholder === undefined ? ('boolean' as const) : ('string' as const) },
  ])
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(known) as Record<string, { type: 'boolean' | 'string' }>,
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The rest is about arguments that begin with a dash.
    throw usageError(error.message.split('. To specify')[0]!)
  }
}

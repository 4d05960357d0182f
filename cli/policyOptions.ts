/** Options for the policy of a job. What has parts can be typed short, or as JSON. */
import { JobPolicy } from '../src/api/contract/jobPolicy.ts'
import { meaninglessFields } from '../src/api/contract/jobs.ts'
import { usageError } from './failure.ts'
import { jsonOf, optionsOf, type Option } from './options.ts'

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const everyDay = dayNames.map((_, index) => index + 1)

interface ShortForm {
  readonly placeholder: string
  /** Returns the value, or undefined for a text of another form. */
  readonly read: (text: string) => unknown
}

/** The short forms by field. Other fields, also those to come, are read like the values of any call. */
const shortForms: Readonly<Record<string, ShortForm>> = {
  waves: { placeholder: 'SIZE[:MINUTES],…', read: text => text.split(',').map(waveOf) },
  stop: {
    placeholder: 'PERCENT[:DEVICES]',
    read: text => {
      const [failed = '', after = '20', ...rest] = text.split(':')
      return rest.length === 0 ? { failed, after: Number(after) } : undefined
    },
  },
  window: { placeholder: '[DAYS@]HH:MM-HH:MM', read: windowOf },
  success: {
    placeholder: 'acknowledged|MINUTES',
    read: text => (/^\d+$/.test(text) ? { minutes: Number(text) } : text),
  },
}

function waveOf(text: string) {
  const [size = '', wait] = text.trim().split(':')
  return { size: /^\d+$/.test(size) ? Number(size) : size, ...(wait === undefined ? {} : { wait: Number(wait) }) }
}

function windowOf(text: string): unknown {
  const found = /^(?:([a-z,-]+)@)?(\d\d:\d\d)-(\d\d:\d\d)$/i.exec(text)
  if (!found) return undefined
  const [, days, from, to] = found
  return { days: days === undefined ? everyDay : days.toLowerCase().split(',').flatMap(daysOf), from, to }
}

/** `mon` or `mon-fri`, also around the end of the week: `sat-mon`. */
function daysOf(text: string): number[] {
  const [first = '', last = first] = text.split('-')
  const [from, to] = [dayNames.indexOf(first), dayNames.indexOf(last)]
  if (from < 0 || to < 0) throw usageError(`--window: the days are ${dayNames.join(', ')}, or a range such as mon-fri`)
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => ((from + index) % 7) + 1)
}

/** The options of the policies of all commands. */
export const policyOptions: readonly Option[] = optionsOf(JobPolicy).map(option => {
  const short = shortForms[option.field]
  if (!short) return option
  const read = (text: string) => {
    if (/^\s*[[{]/.test(text)) return jsonOf(text, option.name)
    const value = short.read(text)
    if (value === undefined) throw usageError(`--${option.name} must be ${short.placeholder}`)
    return value
  }
  return { ...option, placeholder: short.placeholder, read }
})

/** Returns the options of the policy that have a meaning for a command. */
export function policyOptionsOf(command: string): readonly Option[] {
  const meaningless: readonly string[] = meaninglessFields(command)
  return policyOptions.filter(({ field }) => !meaningless.includes(field))
}

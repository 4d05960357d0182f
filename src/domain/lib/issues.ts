/** Messages for invalid input, shared by the server's responses and the forms. */
import type * as z from 'zod/mini'
import { messages } from '../messages.ts'

/** Messages that are complete sentences and need no attribute name before them. */
const sentences: ReadonlySet<unknown> = new Set(Object.values(messages).filter(text => typeof text === 'string'))

/** `first_name` → `First name`, `devices.0` → `Devices 1`. */
export function attributeName(path: readonly PropertyKey[]): string {
  const words = path
    .map(part => (typeof part === 'number' ? String(part + 1) : String(part).replace(/^_/, '').replaceAll('_', ' ')))
    .join(' ')
  return words === '' ? 'The input' : words[0]!.toUpperCase() + words.slice(1)
}

/** Whether an input is missing: left out, or emptied. */
const isMissing = (input: unknown): boolean => input === undefined || input === null || input === ''

/** Returns the message for a zod issue; `label` overrides the name derived from the path. */
export function issueMessage(issue: z.core.$ZodIssue, label = attributeName(issue.path)): string {
  if (sentences.has(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing(issue.input)) return messages.required(label)
      if (issue.expected === 'number' || issue.expected === 'nan') return messages.number(label)
      if (issue.expected === 'int') return messages.integer(label)
      return `${label} must be ${article(issue.expected)}`
    case 'too_small':
      if (issue.origin === 'string')
        return isMissing(issue.input) || Number(issue.minimum) === 1
          ? messages.required(label)
          : messages.min(label, Number(issue.minimum))
      if (issue.origin === 'array') return `${label} must have at least ${issue.minimum}`
      return messages.atLeast(label, Number(issue.minimum))
    case 'too_big':
      if (issue.origin === 'string') return messages.max(label, Number(issue.maximum))
      if (issue.origin === 'array') return `${label} must have at most ${issue.maximum}`
      return messages.atMost(label, Number(issue.maximum))
    case 'invalid_value':
      return isMissing(issue.input) ? messages.required(label) : messages.oneOf(label, issue.values.map(String))
    case 'invalid_format':
      if (issue.format === 'datetime') return `${label} must be an ISO 8601 time, such as 2026-01-31T12:00:00Z`
      if (issue.format === 'email') return messages.email(label)
      if (issue.format === 'url') return `${label} must be a web address`
      return `${label} ${issue.message}`
    case 'unrecognized_keys':
      return `Unknown field: ${issue.keys.join(', ')}`
    default:
      return `${label} ${issue.message}`
  }
}

const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)

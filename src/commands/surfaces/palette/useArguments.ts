/** The arguments of a command, entered page by page. */
import { useState } from 'react'
import * as z from 'zod/mini'
import { overlay } from '../../../store/overlays.ts'
import { preferences } from '../../../store/preferences.ts'
import type { Command, Field } from '../../core/types.ts'
import type { Context } from '../../core/context.ts'
import { fieldIssue } from '../../core/fieldIssue.ts'
import { displayValue } from '../../core/fields.ts'
import { InvalidInput } from '../../core/invalidInput.ts'
import type { ArgumentRequest } from './argumentPrompt.ts'

export interface EnteredArgument {
  readonly field: Field
  /** Undefined if the argument was skipped. */
  readonly value: unknown
  readonly name: string
  /** The text that was typed on its page, restored when the page opens again. */
  readonly query: string
}

/** Returns the field of the current page, the entered arguments, and the actions that move between pages. */
export function useArguments({ command, context, start }: ArgumentRequest, onBack: () => void) {
  const [initial] = useState(() => initialArguments(command, start))
  const [entered, setEntered] = useState(initial)
  // Names of fields that get a page although they are optional: they are changed, or text was typed for them.
  const [requested, setRequested] = useState<readonly string[]>(start?.typed?.field ? [start.typed.field] : [])
  const [error, setError] = useState(start?.problem)
  const remaining = command.fields.filter(
    field =>
      !entered.some(argument => argument.field === field) &&
      (!start || start.optional || !field.optional || requested.includes(field.name)),
  )
  // Inline text that could not be parsed goes to the next page, even if that is optional.
  const hasUnparsedText = start?.typed && entered.length === initial.length
  const field =
    remaining.find(({ name }) => requested.includes(name)) ??
    remaining[0] ??
    (hasUnparsedText
      ? command.fields.find(candidate => !entered.some(argument => argument.field === candidate))
      : undefined)

  const inputOf = (all: readonly EnteredArgument[]) =>
    Object.fromEntries(
      all.filter(({ value }) => value !== undefined).map(argument => [argument.field.name, argument.value]),
    )

  return {
    field,
    entered,
    error,
    setError,
    /** Whether Enter on this page runs the command. */
    isLast: remaining.every(other => other === field),
    /** Enters a value for the field of this page and opens the next page; returns false if the value is invalid. */
    submit(value: unknown, name: string, query: string): boolean {
      if (!field) return false
      const isSkipped = value === undefined && field.optional
      const parsed = isSkipped ? undefined : z.safeParse(field.schema, value, { reportInput: true })
      const all = [...entered, { field, value, name, query }]
      const input = inputOf(all)
      const problem = parsed?.error
        ? parsed.error.issues.map(issue => fieldIssue(issue, field.schema)).join(', ')
        : problemOf(command, context, field, input)
      setError(problem)
      if (problem !== undefined) return false
      if (remaining.some(other => other !== field)) setEntered(all)
      else answer(input)
      return true
    },
    /** Completes the prompt with the entered arguments, or shows what is missing. */
    finish(): void {
      const input = inputOf(entered)
      const problems = command.check(input)
      if (problems) setError(Object.values(problems).join(', '))
      else answer(input)
    },
    /**
     * Goes back one page and returns its text. On the first page, calls `onBack` and returns undefined. The pages of
     * initial arguments are skipped unless `includeInitial` is true.
     */
    back(includeInitial: boolean): string | undefined {
      const canGoBack = includeInitial || entered.some(argument => !initial.includes(argument))
      const previous = canGoBack ? entered.at(-1) : undefined
      setError(undefined)
      if (!previous) {
        onBack()
        return undefined
      }
      setRequested([previous.field.name])
      setEntered(entered.slice(0, -1))
      return previous.query
    },
    /** Opens the page of an entered argument again. */
    change(argument: EnteredArgument): void {
      setError(undefined)
      setRequested([...requested, argument.field.name])
      setEntered(entered.filter(other => other !== argument))
    },
  }
}

/** Closes the palette and resolves the prompt with a command's input. */
function answer(input: unknown): void {
  const prompt = overlay.palette?.prompt
  overlay.palette = undefined
  prompt?.answer(input)
}

/** Returns the arguments that were known before the first page: typed inline, or from a link. */
function initialArguments(command: Command, start: ArgumentRequest['start']): readonly EnteredArgument[] {
  return command.fields.flatMap(field => {
    const value = start?.input[field.name]
    if (value === undefined) return []
    const name = start?.names?.[field.name] ?? displayValue(field, value, preferences.units)
    return [{ field, value, name, query: '' }]
  })
}

/** Returns the command's error for a field, which may depend on earlier ones, so that its page can show it. */
function problemOf(command: Command, context: Context, last: Field, input: unknown): string | undefined {
  try {
    command.prepare(context, input)
  } catch (error) {
    if (error instanceof InvalidInput) return error.fields[last.name]
    throw error
  }
  return undefined
}

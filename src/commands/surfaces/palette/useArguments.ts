/** The arguments of a command as they are given page by page. */
import { useState } from 'react'
import * as z from 'zod/mini'
import { overlay } from '../../../store/overlays.ts'
import { preferences } from '../../../store/preferences.ts'
import type { Command, Field } from '../../core/types.ts'
import type { Context } from '../../core/context.ts'
import { fieldIssue } from '../../core/fieldIssue.ts'
import { displayValue } from '../../core/fields.ts'
import { InvalidInput } from '../../core/invalidInput.ts'
import type { Asked } from './argumentPrompt.ts'

export interface Given {
  readonly field: Field
  readonly value: unknown
  readonly name: string
  /** What had been typed on its page, for going back to it. */
  readonly query: string
}

export function useArguments({ command, context, start }: Asked, onBack: () => void) {
  const [known] = useState(() => givenAtFirst(command, start))
  const [given, setGiven] = useState(known)
  // Asked for although they may be left out: taken back, or something was typed for them.
  const [wanted, setWanted] = useState<readonly string[]>(start?.typed?.field ? [start.typed.field] : [])
  const [error, setError] = useState(start?.problem)
  const left = command.fields.filter(
    field =>
      !given.some(one => one.field === field) &&
      (!start || start.optional || !field.optional || wanted.includes(field.name)),
  )
  // What was typed but not understood is of the next page, also where that one may be left out.
  const spare = start?.typed && given.length === known.length
  const field =
    left.find(({ name }) => wanted.includes(name)) ??
    left[0] ??
    (spare ? command.fields.find(one => !given.some(({ field: of }) => of === one)) : undefined)

  const inputWith = (all: readonly Given[]) =>
    Object.fromEntries(all.filter(one => one.value !== undefined).map(one => [one.field.name, one.value]))

  return {
    field,
    given,
    error,
    setError,
    /** Whether Enter on this page runs the command. */
    last: left.filter(one => one !== field).length === 0,
    /** Takes a value for the field of this page, and goes on; false where it is refused. */
    give(value: unknown, name: string, query: string): boolean {
      if (!field) return false
      const parsed = z.safeParse(field.schema, value, { reportInput: true })
      const all = [...given, { field, value, name, query }]
      const input = inputWith(all)
      const wrong = parsed.success
        ? problemOf(command, context, field, input)
        : parsed.error.issues.map(issue => fieldIssue(issue, field.schema)).join(', ')
      setError(wrong)
      if (wrong !== undefined) return false
      if (left.some(one => one !== field)) setGiven(all)
      else answer(input)
      return true
    },
    /** With what there is; where that is not enough, says so. */
    finish(): void {
      const input = inputWith(given)
      const wrong = command.check(input)
      if (wrong) setError(Object.values(wrong).join(', '))
      else answer(input)
    },
    /**
     * One page back: returns what had been typed on it; undefined where there is none. What was known before the first
     * page was asked for is taken back by `each` only.
     */
    back(each: boolean): string | undefined {
      const before = each || given.some(one => !known.includes(one)) ? given.at(-1) : undefined
      setError(undefined)
      if (!before) {
        onBack()
        return undefined
      }
      setWanted([before.field.name])
      setGiven(given.slice(0, -1))
      return before.query
    },
    /** Asks for an argument again. */
    change(one: Given): void {
      setError(undefined)
      setWanted([...wanted, one.field.name])
      setGiven(given.filter(other => other !== one))
    },
  }
}

function answer(input: unknown): void {
  const waiting = overlay.palette?.asked
  overlay.palette = undefined
  waiting?.answer(input)
}

function givenAtFirst(command: Command, start: Asked['start']): readonly Given[] {
  return command.fields.flatMap(field => {
    const value = start?.input[field.name]
    if (value === undefined) return []
    const name = start?.names?.[field.name] ?? displayValue(field, value, preferences.units)
    return [{ field, value, name, query: '' }]
  })
}

/** What is wrong with a field in the light of those before it: said on its page, where it can be mended. */
function problemOf(command: Command, context: Context, last: Field, input: unknown): string | undefined {
  try {
    command.prepare(context, input)
  } catch (error) {
    if (error instanceof InvalidInput) return error.fields[last.name]
    throw error
  }
  return undefined
}

/** Runs what the palette's rows stand for, and copies links to commands. */
import type { Device } from '../../../api/contract/devices.ts'
import type { EntityMatch } from '../../../api/searchEntities.ts'
import { withUnit } from '../../../domain/lists/amountSearch.ts'
import { closePalette } from '../../../store/overlays.ts'
import { preferences } from '../../../store/preferences.ts'
import { type ParsedPolicy } from '../../arguments/policy.ts'
import { policyText } from '../../arguments/policyTexts.ts'
import type { Field } from '../../core/types.ts'
import type { InitialArguments } from '../../core/execution/host.ts'
import { takesFile } from '../../core/takesFile.ts'
import type { CommandMatch } from '../../palette/search.ts'
import { linkWithoutPrefix } from '../../links/links.ts'
import { run, runCommand } from '../run/run.ts'

/**
 * Runs a command from the palette. The palette stays open if it has to ask for arguments, for all missing ones with
 * `askForAll`, and closes otherwise.
 */
export function chooseCommand({ command, inlineArguments }: CommandMatch, askForAll = false): void {
  if (takesFile(command)) {
    closePalette()
    void runCommand(command)
    return
  }
  const start = toStart(inlineArguments, askForAll)
  const typed = inlineArguments?.policy
  // The palette stays open, and shows what is wrong.
  if (typed && 'problem' in typed) return
  const policy = typed && { policy: typed.policy }
  const complete = start.typed === undefined && !askForAll && command.check(start.input) === undefined
  if (inlineArguments ? complete : command.fields.length === 0) {
    closePalette()
    void runCommand(command, inlineArguments ? { input: start.input, ...policy } : {})
  } else void runCommand(command, inlineArguments ? { start, ...policy } : {})
}

/** Finds a device and closes the palette. */
export function chooseDevice({ bssid }: Device): void {
  closePalette()
  void run('device.find', { input: { device: bssid } })
}

/** Shows a filtration system, model or vendor in its list and closes the palette. */
export function chooseEntity({ entity, id, name }: EntityMatch): void {
  closePalette()
  void run('list.find', { input: { thing: { entity, id, name } } })
}

/** Returns inline arguments as the start of the argument pages. */
function toStart(inlineArguments: CommandMatch['inlineArguments'], optional: boolean): InitialArguments {
  const { parsed = [], unparsed = [], ambiguous } = inlineArguments ?? {}
  const rest = unparsed.join(' ')
  return {
    input: Object.fromEntries(parsed.map(({ field, value }) => [field.name, value])),
    names: Object.fromEntries(parsed.map(({ field, text }) => [field.name, text])),
    ...(ambiguous
      ? { typed: { field: ambiguous.field.name, text: ambiguous.text } }
      : rest && { typed: { text: rest } }),
    optional,
    needsEnter: false,
  }
}

/** An argument of a link: its value, and the name shown to people. */
interface LinkArgument {
  readonly field: Field
  readonly value: unknown
  readonly name: string
}

/** Adds the person's unit to an amount in a list search, so that the link means the same to people with other units. */
function withUnits(values: readonly LinkArgument[]): readonly LinkArgument[] {
  const { column, search } = Object.fromEntries(values.map(({ field, value }) => [field.name, value]))
  if (typeof column !== 'string' || typeof search !== 'string') return values
  const value = withUnit({ column, search }, preferences.units).search
  return values.map(argument => (argument.field.name === 'search' ? { ...argument, value, name: value } : argument))
}

/** Copies a link to a command with its arguments and policy so far; resolves with whether it was copied. */
export async function copyLinkTo(
  command: string,
  values: readonly LinkArgument[],
  targets: readonly { readonly id: string }[] = [],
  typed?: ParsedPolicy,
): Promise<boolean> {
  // With the moment of a start, which is the same in each time zone and later.
  const policy = typed && 'policy' in typed ? policyText(typed.policy) : ''
  const text = linkWithoutPrefix(command, withUnits(values), targets, policy || undefined)
  const result = await run('link.copy', { input: { command: text } })
  return result.is === 'done'
}

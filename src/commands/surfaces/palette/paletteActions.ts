/** What Enter does to a row of the palette, and what a link to it would say. */
import { withUnit } from '../../../domain/lists/amountSearch.ts'
import { closePalette } from '../../../store/overlays.ts'
import { preferences } from '../../../store/preferences.ts'
import type { Field } from '../../core/types.ts'
import type { Start } from '../../core/execution/host.ts'
import { takesFile } from '../../core/takesFile.ts'
import type { CommandMatch } from '../../palette/search.ts'
import { linkWithoutPrefix } from '../../links/links.ts'
import { run, runCommand } from '../run/run.ts'

/** Arguments are asked for in the palette, which stays; everything else runs after it has closed. */
export function choose({ command, ahead }: CommandMatch, askForAll = false): void {
  if (takesFile(command)) {
    closePalette()
    void runCommand(command)
    return
  }
  const start = startOf(ahead, askForAll)
  const complete = start.typed === undefined && !askForAll && command.check(start.input) === undefined
  if (ahead ? complete : command.fields.length === 0) {
    closePalette()
    void runCommand(command, ahead ? { input: start.input } : {})
  } else void runCommand(command, ahead ? { start } : {})
}

function startOf(ahead: CommandMatch['ahead'], optional: boolean): Start {
  const given = ahead?.given ?? []
  const unsure = ahead?.unsure
  const rest = ahead?.left.join(' ') ?? ''
  return {
    input: Object.fromEntries(given.map(({ field, value }) => [field.name, value])),
    names: Object.fromEntries(given.map(({ field, name }) => [field.name, name])),
    ...(unsure ? { typed: { field: unsure.field.name, text: unsure.text } } : rest && { typed: { text: rest } }),
    optional,
    waits: false,
  }
}

/** An argument that is to be in a link: its value, and what a person knows it by. */
interface Given {
  readonly field: Field
  readonly value: unknown
  readonly name: string
}

/** An amount among a command's arguments that a list is to be searched for goes with its unit. */
function withUnits(given: readonly Given[]): readonly Given[] {
  const { column, search } = Object.fromEntries(given.map(({ field, value }) => [field.name, value]))
  if (typeof column !== 'string' || typeof search !== 'string') return given
  const value = withUnit({ column, search }, preferences.units).search
  return given.map(one => (one.field.name === 'search' ? { ...one, value, name: value } : one))
}

/** Copies a link to a command with what has been given so far; resolves with whether it is copied. */
export async function copyLinkTo(
  command: string,
  given: readonly Given[],
  targets: readonly { readonly id: string }[] = [],
): Promise<boolean> {
  const ending = await run('link.copy', { input: { command: linkWithoutPrefix(command, withUnits(given), targets) } })
  return ending.is === 'done'
}

/** The commands that are bound to keys, found once for each change of the registry or of the preferences. */
import { snapshot } from 'valtio/vanilla'
import { preferences } from '../../store/preferences.ts'
import { commands, registryState } from '../core/registry.ts'
import type { Command } from '../core/types.ts'
import { keysOf } from './bindings.ts'

interface Binding {
  readonly keys: string
  readonly target: Command
}

/** Returns the active keys of all commands, in the order of the registry. */
export const bindings = (): readonly Binding[] =>
  commands.flatMap(command => keysOf(command).map(keys => ({ keys, target: command })))

interface Bindings {
  /** A snapshot, which is another object after a change. */
  readonly preferences: object
  readonly version: number
  readonly byKeys: ReadonlyMap<string, readonly Binding[]>
}
let known: Bindings | undefined

/** Returns the commands with these keys, in the order of the registry; on any screen. */
export function commandsBoundTo(keys: string): readonly Command[] {
  const current = snapshot(preferences)
  const { version } = registryState
  if (known?.preferences !== current || known.version !== version)
    known = { preferences: current, version, byKeys: Map.groupBy(bindings(), binding => binding.keys) }
  return known.byKeys.get(keys)?.map(({ target }) => target) ?? []
}

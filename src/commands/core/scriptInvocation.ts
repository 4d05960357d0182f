/** A script with its arguments and the step to start with. */
import type { SavedScript, Script } from '../../store/scripts/scripts.ts'
import type { Entity } from '../../store/lists.ts'
import type { AnyItem } from '../../store/selection.ts'

export interface ScriptInvocation<Of extends Script = Script> {
  readonly script: Of
  /** The values of the arguments that the script prompts for, by their names in the script. */
  readonly args: Readonly<Record<string, unknown>>
  /** The targets of the first steps; undefined if the script selects them. */
  readonly targets: { readonly entity: Entity; readonly items: readonly AnyItem[] } | undefined
  /** The index of the step to start with, from 0. */
  readonly from: number
}
export type SavedScriptInvocation = ScriptInvocation<SavedScript>

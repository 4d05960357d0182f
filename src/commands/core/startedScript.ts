/** A script that is given. */
import type { SavedScript, Script } from '../../store/scripts.ts'
import type { Entity } from '../../store/lists.ts'
import type { AnyItem } from '../../store/selection.ts'

export interface Started<Of extends Script = Script> {
  readonly script: Of
  /** The arguments that are asked for each time, by their names in the script. */
  readonly given: Readonly<Record<string, unknown>>
  /** What it acts on from its beginning; undefined where it selects that itself. */
  readonly fixed: { readonly entity: Entity; readonly items: readonly AnyItem[] } | undefined
  /** The step that it begins with, counted from 0. */
  readonly from: number
}
export type StartedScript = Started<SavedScript>

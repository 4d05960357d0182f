/** Stores how often and when the person ran each command. */
import { proxy } from 'valtio'
import { isNumber, isRecordOf, isShape, isText, orNull } from '../../domain/lib/checks.ts'
import { persist } from '../../store/persist.ts'
import { session } from '../../store/session.ts'
import type { Usage } from '../arguments/rank.ts'

const state = proxy<{ person: string | null; uses: Record<string, Usage> }>({ person: null, uses: {} })
persist('recents', state, {
  person: orNull(isText),
  uses: isRecordOf(isShape<Usage>({ count: isNumber, at: isNumber })),
})

/** The maximum number of stored commands; the least recently used is dropped, because scripts are added and deleted. */
const maxUses = 300

/** Returns the uses of the signed-in person; those of a previous one are dropped. */
function currentUses(): Record<string, Usage> {
  if (state.person !== session.userId) Object.assign(state, { person: session.userId, uses: {} })
  return state.uses
}

/** Counts a run of a command. */
export function recordUse(id: string, now: number): void {
  const uses = currentUses()
  uses[id] = { count: (uses[id]?.count ?? 0) + 1, at: now }
  const [first, ...others] = Object.entries(uses)
  if (first && others.length >= maxUses)
    delete uses[others.reduce((oldest, one) => (one[1].at < oldest[1].at ? one : oldest), first)[0]]
}
/** Returns how often and when a command was run; undefined if it never was. */
export const usageOf = (id: string): Usage | undefined => currentUses()[id]

/** How often and when this person ran each command. */
import { proxy } from 'valtio'
import * as z from 'zod/mini'
import { persist } from '../../store/persist.ts'
import { session } from '../../store/session.ts'
import type { Use } from '../arguments/rank.ts'

const state = proxy<{ person: string | null; uses: Record<string, Use> }>({ person: null, uses: {} })
persist(
  'recents',
  state,
  z.partial(
    z.object({
      person: z.nullable(z.string()),
      uses: z.record(z.string(), z.object({ count: z.number(), at: z.number() })),
    }),
  ),
)

/** Those used longest ago are forgotten: scripts come and go. */
const maxUses = 300

/** What one person ran says nothing about the next who signs in at this browser. */
function ofThisPerson(): Record<string, Use> {
  if (state.person !== session.userId) Object.assign(state, { person: session.userId, uses: {} })
  return state.uses
}

export function noteUse(id: string, now: number): void {
  const uses = ofThisPerson()
  uses[id] = { count: (uses[id]?.count ?? 0) + 1, at: now }
  const [first, ...others] = Object.entries(uses)
  if (first && others.length >= maxUses)
    delete uses[others.reduce((oldest, one) => (one[1].at < oldest[1].at ? one : oldest), first)[0]]
}
export const usesOf = (id: string): Use | undefined => ofThisPerson()[id]

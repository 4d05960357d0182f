/** How often and when this person ran each command. */
import { proxy } from 'valtio'
import * as z from 'zod/mini'
import { persist } from '../store/persist.ts'
import type { Use } from './rank.ts'

const state = proxy<{ uses: Record<string, Use> }>({ uses: {} })
persist(
  'recents',
  state,
  z.partial(z.object({ uses: z.record(z.string(), z.object({ count: z.number(), at: z.number() })) })),
)

export function noteUse(id: string, now: number): void {
  state.uses[id] = { count: (state.uses[id]?.count ?? 0) + 1, at: now }
}
export const usesOf = (id: string): Use | undefined => state.uses[id]

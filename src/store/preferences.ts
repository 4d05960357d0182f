/** A person's preferences. */
import { proxy, subscribe, useSnapshot } from 'valtio'
import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { defaultUnits, units, type UnitChoice } from '../domain/units.ts'
import { typedKeys } from '../domain/lib/typedKeys.ts'
import { afterFirstRows } from './firstRows.ts'
import { syncWithOtherTabs, persist } from './persist.ts'

export type Density = 'comfortable' | 'compact'

interface Preferences {
  theme: 'light' | 'dark'
  /** The height of the rows of all lists. */
  density: Density
  units: UnitChoice
  /** Whether single keys without a modifier run commands (WCAG 2.1.4). */
  bareKeys: boolean
  /** Custom keys that replace the defaults, by command id; an empty list removes a command's keys. */
  keys: Record<string, string[]>
}

/** A sequence of up to three chords. */
export const keysPattern = /^\S{1,24}( \S{1,24}){0,2}$/

const Stored = z.partial(
  z.object({
    theme: z.enum(['light', 'dark']),
    density: z.enum(['comfortable', 'compact']),
    units: z.object({
      volume: z.enum(typedKeys(units.volume)),
      temperature: z.enum(typedKeys(units.temperature)),
      pressure: z.enum(typedKeys(units.pressure)),
      concentration: z.enum(typedKeys(units.concentration)),
      flow: z.enum(typedKeys(units.flow)),
    }),
    bareKeys: z.boolean(),
    // Invalid keys are dropped without losing the other preferences.
    keys: otherwise(z.record(z.string(), z.array(z.string().check(z.regex(keysPattern)))), {}),
  }),
)

export const preferences = proxy<Preferences>({
  theme: 'light',
  density: 'comfortable',
  units: { ...defaultUnits },
  bareKeys: true,
  keys: {},
})
persist('preferences', preferences, Stored)
// Deferred because the first `storage` listener opens a channel to the browser's storage, which is slow.
void afterFirstRows().then(() => syncWithOtherTabs('preferences', preferences, Stored))

const applyTheme = () => document.documentElement.classList.toggle('dark', preferences.theme === 'dark')
applyTheme()
subscribe(preferences, applyTheme)

export const useUnits = () => useSnapshot(preferences).units as UnitChoice

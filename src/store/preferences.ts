/** What a person has chosen once and for all. */
import { proxy, subscribe, useSnapshot } from 'valtio'
import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { defaultUnits, units, type UnitChoice } from '../domain/units.ts'
import { afterFirstRows } from './firstRows.ts'
import { followOtherTabs, persist } from './persist.ts'

interface Preferences {
  theme: 'light' | 'dark'
  units: UnitChoice
  /** Whether single keys without a modifier give commands (WCAG 2.1.4). */
  bareKeys: boolean
  /** Keys that commands were given in place of their own, by the command's id; none is an empty list. */
  keys: Record<string, string[]>
}

const keysOf = <T extends object>(of: T) => Object.keys(of) as (keyof T)[]
/** Up to three chords, one after another. */
export const keysPattern = /^\S{1,24}( \S{1,24}){0,2}$/

const Stored = z.partial(
  z.object({
    theme: z.enum(['light', 'dark']),
    units: z.object({
      volume: z.enum(keysOf(units.volume)),
      temperature: z.enum(keysOf(units.temperature)),
      pressure: z.enum(keysOf(units.pressure)),
      concentration: z.enum(keysOf(units.concentration)),
      flow: z.enum(keysOf(units.flow)),
    }),
    bareKeys: z.boolean(),
    // Keys that make no sense cost only themselves, not the other preferences.
    keys: otherwise(z.record(z.string(), z.array(z.string().check(z.regex(keysPattern)))), {}),
  }),
)

export const preferences = proxy<Preferences>({ theme: 'light', units: { ...defaultUnits }, bareKeys: true, keys: {} })
persist('preferences', preferences, Stored)
// Listening opens a channel to the browser's storage, which takes longer than the first rows should wait.
void afterFirstRows().then(() => followOtherTabs('preferences', preferences, Stored))

const applyTheme = () => document.documentElement.classList.toggle('dark', preferences.theme === 'dark')
applyTheme()
subscribe(preferences, applyTheme)

export const useUnits = () => useSnapshot(preferences).units as UnitChoice

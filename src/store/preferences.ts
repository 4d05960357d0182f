/** A person's preferences. */
import { proxy, subscribe, useSnapshot } from 'valtio'
import { defaultUnits, units, type UnitChoice } from '../domain/units.ts'
import { isFlag, isListOf, isOneOf, isRecordOf, isShape, isText, type Checks } from '../domain/lib/checks.ts'
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

const stored: Checks<Preferences> = {
  theme: isOneOf(['light', 'dark']),
  density: isOneOf(['comfortable', 'compact']),
  units: isShape({
    volume: isOneOf(typedKeys(units.volume)),
    temperature: isOneOf(typedKeys(units.temperature)),
    pressure: isOneOf(typedKeys(units.pressure)),
    concentration: isOneOf(typedKeys(units.concentration)),
    flow: isOneOf(typedKeys(units.flow)),
  }),
  bareKeys: isFlag,
  keys: isRecordOf(isListOf((keys): keys is string => isText(keys) && keysPattern.test(keys))),
}

export const preferences = proxy<Preferences>({
  theme: 'light',
  density: 'comfortable',
  units: { ...defaultUnits },
  bareKeys: true,
  keys: {},
})
persist('preferences', preferences, stored)
// Deferred because the first `storage` listener opens a channel to the browser's storage, which is slow.
void afterFirstRows().then(() => syncWithOtherTabs('preferences', preferences, stored))

const applyTheme = () => document.documentElement.classList.toggle('dark', preferences.theme === 'dark')
applyTheme()
subscribe(preferences, applyTheme)

export const useUnits = () => useSnapshot(preferences).units as UnitChoice

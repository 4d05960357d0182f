/** What a person has chosen once and for all. */
import { proxy, subscribe, useSnapshot } from 'valtio'
import * as z from 'zod/mini'
import { defaultUnits, units, type UnitChoice } from '../domain/units.ts'
import { persist } from './persist.ts'

interface Preferences {
  theme: 'light' | 'dark'
  units: UnitChoice
  /** Whether single keys without a modifier give commands (WCAG 2.1.4). */
  bareKeys: boolean
}

const keysOf = <T extends object>(of: T) => Object.keys(of) as (keyof T)[]
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
  }),
)

export const preferences = proxy<Preferences>({ theme: 'light', units: { ...defaultUnits }, bareKeys: true })
persist('preferences', preferences, Stored)

const applyTheme = () => document.documentElement.classList.toggle('dark', preferences.theme === 'dark')
applyTheme()
subscribe(preferences, applyTheme)

export const useUnits = () => useSnapshot(preferences).units as UnitChoice

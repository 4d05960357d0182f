/** What one tab chooses is in force in the others, and none of them answers back. */
import { expect, test } from 'vitest'
import { proxy } from 'valtio'
import * as z from 'zod/mini'
import { syncWithOtherTabs, persist } from '../../../src/store/persist.ts'

const Kept = z.partial(z.object({ volume: z.string(), units: z.record(z.string(), z.string()) }))
const key = 'permeate:kept'

/** As another tab writes it: the browser tells all tabs but that one. */
function write(value: object) {
  localStorage.setItem(key, JSON.stringify(value))
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

test('what another tab writes is taken over, and not written once more over what it writes next', () => {
  const state = proxy<{ volume: string; units: Record<string, string> }>({ volume: 'l', units: {} })
  persist('kept', state, Kept)
  syncWithOtherTabs('kept', state, Kept)
  write({ volume: 'gal', units: { flow: 'l/min' } })
  expect(state).toEqual({ volume: 'gal', units: { flow: 'l/min' } })
  // The other tab is quicker than its first word is heard here.
  localStorage.setItem(key, '{"volume":"gal","units":{"flow":"gal/min"}}')
  const { units } = state
  window.dispatchEvent(new StorageEvent('storage', { key }))
  expect(state.units).toEqual({ flow: 'gal/min' })
  expect(localStorage.getItem(key)).toBe('{"volume":"gal","units":{"flow":"gal/min"}}')
  expect(state.units).not.toBe(units)
  // A version that knows less is neither followed into that nor answered.
  const before = state.units
  write({ volume: 'gal' })
  expect(state.units).toBe(before)
  expect(localStorage.getItem(key)).toBe('{"volume":"gal"}')
  // What is chosen here is written.
  state.volume = 'l'
  expect(localStorage.getItem(key)).toBe('{"volume":"l","units":{"flow":"gal/min"}}')
})

/** Stored preferences are synchronized between tabs without one tab overwriting another. */
import { expect, test } from 'vitest'
import { proxy } from 'valtio'
import { isRecordOf, isText } from '../../../src/domain/lib/checks.ts'
import { syncWithOtherTabs, persist } from '../../../src/store/persist.ts'

const checks = { volume: isText, units: isRecordOf(isText) }
const key = 'permeate:kept'

/** Writes as another tab would: the browser sends the storage event to all tabs but the writing one. */
function write(value: object) {
  localStorage.setItem(key, JSON.stringify(value))
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

test('values of another tab are applied without being written back over its next ones', () => {
  const state = proxy<{ volume: string; units: Record<string, string> }>({ volume: 'l', units: {} })
  persist('kept', state, checks)
  syncWithOtherTabs('kept', state, checks)
  write({ volume: 'gal', units: { flow: 'l/min' } })
  expect(state).toEqual({ volume: 'gal', units: { flow: 'l/min' } })
  // The other tab writes again before the event of its first write arrives here.
  localStorage.setItem(key, '{"volume":"gal","units":{"flow":"gal/min"}}')
  const { units } = state
  window.dispatchEvent(new StorageEvent('storage', { key }))
  expect(state.units).toEqual({ flow: 'gal/min' })
  expect(localStorage.getItem(key)).toBe('{"volume":"gal","units":{"flow":"gal/min"}}')
  expect(state.units).not.toBe(units)
  // Fields that an older version does not write are kept, and nothing is written back.
  const before = state.units
  write({ volume: 'gal' })
  expect(state.units).toBe(before)
  expect(localStorage.getItem(key)).toBe('{"volume":"gal"}')
  // Changes made here are written.
  state.volume = 'l'
  expect(localStorage.getItem(key)).toBe('{"volume":"l","units":{"flow":"gal/min"}}')
})

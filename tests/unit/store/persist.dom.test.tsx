/** Stored preferences are synchronized between tabs without one tab overwriting another. */
import { afterEach, expect, test, vi } from 'vitest'
import { proxy } from 'valtio'
import { isRecordOf, isText, orNull } from '../../../src/domain/lib/checks.ts'
import { clearStored, syncWithOtherTabs, persist } from '../../../src/store/persist.ts'

const checks = { volume: isText, units: isRecordOf(isText) }
const key = 'permeate:kept'

afterEach(() => {
  vi.restoreAllMocks()
})

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

test('what is cleared is stored as the initial values, so that other tabs do not keep what they had', () => {
  const checks = { token: orNull(isText) }
  const [state, other] = [
    proxy<{ token: string | null }>({ token: null }),
    proxy<{ token: string | null }>({ token: null }),
  ]
  persist('cleared', state, checks)
  state.token = 'old'
  syncWithOtherTabs('cleared', other, checks)
  expect(other.token).toBe('old')
  clearStored()
  window.dispatchEvent(new StorageEvent('storage', { key: 'permeate:cleared' }))
  expect([state.token, other.token]).toEqual([null, null])
  // What another tab has stored meanwhile is replaced, too.
  localStorage.setItem('permeate:cleared', '{"token":"stored by another tab"}')
  clearStored()
  expect(localStorage.getItem('permeate:cleared')).toBe('{"token":null}')
})

test('with storage forbidden, clearing resets the states', () => {
  const state = proxy({ volume: 'l' })
  persist('forbidden', state, { volume: isText })
  state.volume = 'gal'
  const forbid = () => {
    throw new DOMException('The operation is insecure', 'SecurityError')
  }
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(forbid)
  vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(forbid)
  clearStored()
  expect(state.volume).toBe('l')
})

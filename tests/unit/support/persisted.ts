/** What the browser stores for a person, kept by the test: jsdom stores nothing. */
import { vi } from 'vitest'
import * as persist from '../../../src/store/persist.ts'

export const persisted = new Map<string, unknown>()

/** Until all mocks are restored; empty at first. */
export function persistHere(): void {
  persisted.clear()
  vi.spyOn(persist, 'readLarge').mockImplementation(name => Promise.resolve(persisted.get(name)))
  vi.spyOn(persist, 'changeLarge').mockImplementation((name, change) => {
    persisted.set(name, structuredClone(change(persisted.get(name))))
    return Promise.resolve(true)
  })
}

/** From now on there is no room for anything. */
export function noRoom(): void {
  vi.spyOn(persist, 'changeLarge').mockResolvedValue(false)
}

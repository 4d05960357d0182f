/** A replacement for the browser's IndexedDB storage, which jsdom lacks. */
import { vi } from 'vitest'
import * as persist from '../../../src/store/persist.ts'

export const persisted = new Map<string, unknown>()

/** Empties the storage and uses it until all mocks are restored. */
export function mockPersistence(): void {
  persisted.clear()
  vi.spyOn(persist, 'readLarge').mockImplementation(name => Promise.resolve(persisted.get(name)))
  vi.spyOn(persist, 'changeLarge').mockImplementation((name, change) => {
    persisted.set(name, structuredClone(change(persisted.get(name))))
    return Promise.resolve(true)
  })
}

/** Makes the storage full, so that every change fails. */
export function failPersistence(): void {
  vi.spyOn(persist, 'changeLarge').mockResolvedValue(false)
}

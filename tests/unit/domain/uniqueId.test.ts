import { webcrypto } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { uniqueId } from '../../../src/domain/uniqueId.ts'

afterEach(() => vi.unstubAllGlobals())

test('ids are unique also on a page in plain HTTP, which has no randomUUID', () => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => webcrypto.getRandomValues(bytes) })
  const ids = Array.from({ length: 100 }, uniqueId)
  expect(new Set(ids).size).toBe(100)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
})

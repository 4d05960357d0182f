/** What the palette searches for, by role. */
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usePaletteSearch } from '../../../../../src/commands/surfaces/palette/usePaletteSearch.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import type { Role } from '../../../../../src/domain/roles.ts'

const requests: string[] = []
beforeEach(() => {
  requests.length = 0
  vi.stubGlobal('fetch', (url: string | URL) => {
    requests.push(new URL(url, 'http://localhost').pathname)
    return Promise.resolve(Response.json({ data: { count: 0, data: [] } }))
  })
})
afterEach(() => {
  cleanup()
  clearSession()
  vi.unstubAllGlobals()
})

const signs = ['', '@', '#']

/** Types each sign with the beginning of an id as a role, and returns the modes and what was shown without results. */
async function search(role: Role) {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: role, login: role })
  const { result, rerender } = renderHook(usePaletteSearch, { initialProps: '' })
  const shown: string[] = []
  for (const sign of signs) {
    act(() => rerender(`${sign}30:AE:A4`))
    await waitFor(() => expect(result.current.isLoading).toBe(false))
    expect(result.current.rows).toEqual([])
    shown.push(result.current.empty)
  }
  return { modes: result.current.availableModes, shown }
}

test('a superadmin searches for commands only, and nothing is requested', async () => {
  expect(await search('superadmin')).toEqual({ modes: ['>'], shown: signs.map(() => 'No results.') })
  expect(requests).toEqual([])
})

test('an administrator also searches for devices and other entities', async () => {
  expect((await search('admin')).modes).toEqual(['>', '@', '#'])
  expect(requests).toContain('/api/v3/devices')
})

/** The list of groups to choose from shows what its endpoint returns. */
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCache } from '../../../../src/api/cache.ts'
import { RowListScreen } from '../../../../src/screens/lists/RowListScreen.tsx'
import { clearSession, setSession } from '../../../../src/store/session.ts'

const at = '2026-03-29T09:00:00.000Z'
const group = { _id: '0b7c0c52-6f9c-4f2e-9c0e-1c4a8a7f2f10', name: 'Countertop', created_at: at, updated_at: at }

const nothing = () => undefined
let requested: string[]
beforeEach(() => {
  requested = []
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'vendor', login: 'vendor' })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }))
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = nothing
      unobserve = nothing
      disconnect = nothing
    },
  )
  vi.stubGlobal('fetch', async (address: string) => {
    requested.push(address.split('?')[0]!)
    return new Response(JSON.stringify({ data: { count: 1, data: [group] } }))
  })
})
afterEach(() => {
  cleanup()
  clearSession()
  clearCache()
  vi.unstubAllGlobals()
})

test('a vendor sees the groups of its systems', async () => {
  render(
    <MemoryRouter>
      <RowListScreen entity="groupChoices" />
    </MemoryRouter>,
  )
  expect(await screen.findByText('Countertop')).toBeTruthy()
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([expect.stringContaining('Name'), expect.stringContaining('Created')]),
  )
  expect(new Set(requested)).toEqual(new Set(['/api/v3/filtration-systems/groups']))
})

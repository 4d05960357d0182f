/** A finding in the side panel of its list. */
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FindingDetails } from '../../../../src/screens/lists/FindingDetails.tsx'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { fouling } from '../../support/deviceHealth.ts'
import '../../support/allCommands.ts'

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u', userRole: 'vendor', login: 'vendor' })
})
afterEach(() => {
  cleanup()
  clearSession()
})

test('it has values with units and errors, what was new, neighbours, days used, and when it began', () => {
  render(<FindingDetails finding={fouling} />)
  const flow = within(screen.getByRole('row', { name: /Standard flow/ }))
  expect(flow.getByRole('rowheader').textContent).toBe('Standard flowNew 0.197 l/min/bar, 30 days used')
  expect(flow.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['−14 % ± 2 %', '−15 %', '−1 % (7)'])
  expect(screen.getByText(/It began between .+ and .+, most likely on .+\./)).toBeTruthy()
  // The runner-up, with its confidence.
  expect(screen.getByText('Scaling').parentElement?.textContent).toBe('Scaling38 %')
})

test('one that has ended counts its days until then', () => {
  render(
    <FindingDetails
      finding={{ ...fouling, began_at: '2026-03-01T00:00:00.000Z', ended_at: '2026-03-21T00:00:00.000Z' }}
    />,
  )
  expect(screen.getByText(/^Standard flow −14 % in 20 days/)).toBeTruthy()
})

test('it offers what helps against the cause', () => {
  render(<FindingDetails finding={{ ...fouling, cause: 'prefilter' }} />)
  expect(screen.getByRole('button', { name: /^Plan replacement/ })).toBeTruthy()
  cleanup()
  render(<FindingDetails finding={fouling} />)
  expect(screen.getByRole('button', { name: /^Explain/ })).toBeTruthy()
})

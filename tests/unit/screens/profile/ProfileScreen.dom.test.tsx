/** The sections of the profile: while they are read, after they could not be, and when a row of theirs is removed. */
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mutate } from 'swr'
import { clearCache } from '../../../../src/api/cache.ts'
import { ProfileScreen } from '../../../../src/screens/profile/ProfileScreen.tsx'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import '../../support/allCommands.ts'

const at = '2026-11-20T08:00:00.000Z'
const names = ['API keys', 'Passkeys', 'Second factor', 'Sessions'] as const
const rows = ['One', 'Two', 'Three']
let left: readonly string[]
let isDown: boolean

const keyOf = (name: string) => ({
  _id: name,
  name,
  scope: 'read',
  vendor: null,
  created_at: at,
  expires_at: '2099-01-01T00:00:00.000Z',
  used_at: null,
})
const sessionOf = (device: string) => ({ _id: device, device, address: '', seen_at: at, current: device === 'This' })
const responseTo = (path: string): unknown => {
  if (path.endsWith('/keys')) return { keys: left.map(keyOf) }
  if (path.endsWith('/passkeys'))
    return { unavailable: null, passkeys: left.map(name => ({ _id: name, name, created_at: at, used_at: null })) }
  if (path.endsWith('/sessions')) return { sessions: ['This', ...left].map(sessionOf) }
  if (path.endsWith('/second-factor'))
    return { enabled: false, authenticator: false, passkeys: 0, required: false, recovery_codes: 0 }
  return { first_name: 'A', last_name: 'B' }
}

beforeEach(() => {
  left = rows
  isDown = false
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  vi.stubGlobal('fetch', (path: string) =>
    Promise.resolve(
      isDown
        ? new Response(JSON.stringify({ statusCode: 503, message: 'The server is starting' }), { status: 503 })
        : new Response(JSON.stringify({ data: responseTo(new URL(path, 'http://server').pathname) })),
    ),
  )
  setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  cleanup()
  clearCache()
  vi.unstubAllGlobals()
  clearSession()
})

const readAgain = () => act(() => mutate(key => Array.isArray(key)))
const section = (name: string) => screen.getByRole('region', { name: new RegExp(`^${name}`) })

test('a section that is being read or could not be is there, and says so', async () => {
  isDown = true
  render(<ProfileScreen />)
  for (const name of names) expect(within(section(name)).getByRole('group', { name: 'Loading' })).toBeTruthy()
  for (const name of names) {
    expect((await within(section(name)).findByRole('alert')).textContent).toMatch(/^The server is starting/)
    expect(within(section(name)).getByRole('button', { name: 'Retry' })).toBeTruthy()
  }
  isDown = false
  await readAgain()
  for (const name of names) {
    expect(within(section(name)).queryByRole('alert')).toBeNull()
    expect(within(section(name)).queryByRole('group', { name: 'Loading' })).toBeNull()
  }
  expect(within(section('API keys')).getAllByRole('listitem')).toHaveLength(3)
})

test.each([
  ['API keys', (name: string) => `Revoke API key ${name}`],
  ['Passkeys', (name: string) => `Remove passkey ${name}`],
  ['Sessions', (name: string) => `End session of ${name}`],
])(
  'of the %s, the focus moves to the next row when one is removed, and to the heading after the last',
  async (name, nameOf) => {
    render(<ProfileScreen />)
    const button = (row: string) => screen.findByRole('button', { name: nameOf(row) })
    const two = await button('Two')
    act(() => two.focus())
    left = ['One', 'Three']
    await readAgain()
    expect(document.activeElement).toBe(await button('Three'))
    left = []
    await readAgain()
    expect(document.activeElement).toBe(within(section(name)).getByRole('heading', { name }))
  },
)

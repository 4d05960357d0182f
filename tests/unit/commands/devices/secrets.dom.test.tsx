/** A sharing code can be copied only while it is shown and valid. */
import { afterEach, expect, test, vi } from 'vitest'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { overlay } from '../../../../src/store/overlays.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'

afterEach(() => {
  vi.useRealTimers()
  overlay.share = undefined
  clearSession()
})

test('a code can be copied until it expires', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-04T10:00:00Z') })
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'me' })
  const availability = () => commandOf('device.copyCode').availability(currentContext())
  expect(availability()).toEqual({ is: 'blocked', reason: 'No sharing code is shown' })
  overlay.share = { bssid: 'A4', code: 'C0DE', expiresAt: '2026-03-04T10:10:00.000Z' }
  expect(availability()).toEqual({ is: 'ready' })
  vi.setSystemTime(Date.parse('2026-03-04T10:10:00Z'))
  expect(availability()).toEqual({ is: 'blocked', reason: 'This code has expired' })
})

import { expect, test } from 'vitest'
import { pendingLink, clearPendingLink } from '../../../src/store/pendingLink.ts'

test('a pending link keeps question marks within its query', () => {
  sessionStorage.setItem('permeate:link', '/devices?cmd=device.flush&match=a?b')
  expect(pendingLink()).toEqual({ path: '/devices', search: '?cmd=device.flush&match=a?b' })
  clearPendingLink()
  expect(pendingLink()).toBeUndefined()
})

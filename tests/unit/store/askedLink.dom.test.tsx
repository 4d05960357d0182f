import { expect, test } from 'vitest'
import { askedLink, forgetLink } from '../../../src/store/askedLink.ts'

test('a link that waits keeps the question marks of its query', () => {
  sessionStorage.setItem('permeate:link', '/devices?cmd=device.flush&match=a?b')
  expect(askedLink()).toEqual({ path: '/devices', search: '?cmd=device.flush&match=a?b' })
  forgetLink()
  expect(askedLink()).toBeUndefined()
})

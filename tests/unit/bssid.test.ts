import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bssidPattern, normaliseBssid } from '../../src/domain/bssid.ts'

const digits = fc.stringMatching(/^[0-9a-fA-F]{12}$/)

test('every usual spelling comes to one', () => {
  fc.assert(
    fc.property(digits, fc.constantFrom(':', '-', ' ', '', '.'), (text, separator) => {
      const spelled = ` ${text.match(/../g)!.join(separator)} `
      const stored = normaliseBssid(spelled)
      expect(stored).toMatch(bssidPattern)
      expect(stored.replaceAll(':', '')).toBe(text.toUpperCase())
    }),
  )
})

test('the stored spelling stays, and what is no bssid stays as typed', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      expect(normaliseBssid(normaliseBssid(text))).toBe(normaliseBssid(text))
    }),
  )
  expect(normaliseBssid(' A4:1C:09:7E:33 ')).toBe('A4:1C:09:7E:33')
  expect(normaliseBssid('G41C097E330B')).toBe('G41C097E330B')
})

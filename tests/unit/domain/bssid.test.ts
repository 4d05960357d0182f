import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bssidParts, bssidPattern, normaliseBssid } from '../../../src/domain/bssid.ts'

const digits = fc.stringMatching(/^[0-9a-fA-F]{12}$/)

test('normaliseBssid turns every common spelling into the stored one', () => {
  fc.assert(
    fc.property(digits, fc.constantFrom(':', '-', ' ', '', '.'), (text, separator) => {
      const spelled = ` ${text.match(/../g)!.join(separator)} `
      const stored = normaliseBssid(spelled)
      expect(stored).toMatch(bssidPattern)
      expect(stored.replaceAll(':', '')).toBe(text.toUpperCase())
    }),
  )
})

test('normaliseBssid is idempotent, and leaves text that is no BSSID as typed', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      expect(normaliseBssid(normaliseBssid(text))).toBe(normaliseBssid(text))
    }),
  )
  expect(normaliseBssid(' A4:1C:09:7E:33 ')).toBe('A4:1C:09:7E:33')
  expect(normaliseBssid('G41C097E330B')).toBe('G41C097E330B')
})

test('bssidParts finds any part of a BSSID typed without colons, within it, at its start and at its end', () => {
  fc.assert(
    fc.property(digits, fc.nat(9), fc.nat(9), (text, from, more) => {
      const stored = normaliseBssid(text)
      const part = text.toUpperCase().slice(from, from + 3 + more)
      expect(bssidParts(part, 'within').some(one => stored.includes(one))).toBe(true)
      const start = text.toUpperCase().slice(0, 3 + more)
      expect(bssidParts(start, 'start').map(one => stored.startsWith(one))).toEqual([true])
      const end = text.toUpperCase().slice(-3 - more)
      expect(bssidParts(end, 'end').map(one => stored.endsWith(one))).toEqual([true])
    }),
  )
})

test.each([
  ['30AE', 'within', ['30:AE', '3:0A:E']],
  ['30ae.a40', 'start', ['30:ae:a4:0']],
  ['0AE', 'end', ['0:AE']],
  ['30-AE-A', 'within', ['30:AE:A']],
  ['0:AE', 'within', ['0:AE']],
  ['AE', 'within', ['AE']],
  ['%__', 'within', ['%__']],
] as const)('bssidParts(%s, %s)', (part, where, spellings) => {
  expect(bssidParts(part, where)).toEqual(spellings)
})

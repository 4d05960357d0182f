import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isRecordOf,
  isShape,
  isText,
  orMissing,
  orNull,
  validOf,
} from '../../../../src/domain/lib/checks.ts'

test('values have to be of the kind that is asked for', () => {
  expect([isText('a'), isText(1), isNumber(1), isNumber('1'), isFlag(false), isFlag(0)]).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
  ])
  const isSide = isOneOf(['left', 'right'])
  expect([isSide('left'), isSide('top'), orNull(isSide)(null), isSide(null)]).toEqual([true, false, true, false])
  expect([orMissing(isSide)(undefined), orMissing(isSide)(null)]).toEqual([true, false])
})

test('lists, records and shapes are checked to their last value', () => {
  expect([isListOf(isText)(['a', 'b']), isListOf(isText)(['a', 1]), isListOf(isText)('ab')]).toEqual([
    true,
    false,
    false,
  ])
  expect([isRecordOf(isNumber)({ a: 1 }), isRecordOf(isNumber)({ a: 1, b: '2' }), isRecordOf(isNumber)([1])]).toEqual([
    true,
    false,
    false,
  ])
  const isPoint = isShape({ x: isNumber, label: orMissing(isText) })
  expect([isPoint({ x: 1 }), isPoint({ x: 1, label: 2 }), isPoint(null), isPoint({ label: 'a' })]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('of a stored state the valid properties are kept, whatever the others are', () => {
  const checks = { page: isNumber, search: isText }
  expect(validOf({ page: 2, search: 3, other: true }, checks)).toEqual({ page: 2 })
  fc.assert(
    fc.property(fc.anything(), value => {
      const kept = validOf(value, checks)
      expect(kept.page === undefined || typeof kept.page === 'number').toBe(true)
      expect(kept.search === undefined || typeof kept.search === 'string').toBe(true)
      expect(Object.keys(kept).every(name => name === 'page' || name === 'search')).toBe(true)
    }),
  )
})

/** Query codecs: encoding, decoding, and ignoring invalid parameters. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneOf, queryCodec, textUpTo, wholeNumberUpTo } from '../../../../src/shell/address/queryCodec.ts'

interface State {
  readonly search: string
  readonly sort: string | undefined
  readonly page: number
  readonly limit: number
}

const limits = [20, 50, 100]
const sample = queryCodec<State>(
  { search: '', sort: undefined, page: 1, limit: 20 },
  { search: textUpTo(20), sort: oneOf(['name', 'status']), page: wholeNumberUpTo(1000), limit: oneOf(limits) },
)

const state = fc.record<State>({
  // A lone surrogate is not valid text, and no URL can contain it.
  search: fc.string({ maxLength: 10, unit: 'binary' }).filter(text => text.isWellFormed() && text.length <= 20),
  sort: fc.constantFrom(undefined, 'name', 'status'),
  page: fc.integer({ min: 1, max: 1000 }),
  limit: fc.constantFrom(...limits),
})

test('decode reverses encode', () => {
  fc.assert(
    fc.property(state, one => {
      expect({ ...sample.defaults, ...sample.decode(sample.encode(one)) }).toEqual(one)
    }),
  )
})

test('any query decodes to a valid state, which survives encoding and decoding', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('', '0', '-1', '1.5', '1e3', 'NaN', 'name', '50', '5000'))
  const query = fc
    .array(fc.tuple(fc.constantFrom('search', 'sort', 'page', 'limit', 'other', '__proto__'), text))
    .map(pairs => new URLSearchParams(pairs).toString())
  fc.assert(
    fc.property(query, search => {
      const read = { ...sample.defaults, ...sample.decode(search) }
      expect({ ...sample.defaults, ...sample.decode(sample.encode(read)) }).toEqual(read)
      expect(read.page).toBeGreaterThanOrEqual(1)
      expect(limits).toContain(read.limit)
      expect([undefined, 'name', 'status']).toContain(read.sort)
    }),
  )
})

test('defaults are omitted, and commas and colons are not escaped', () => {
  expect(sample.encode(sample.defaults)).toBe('')
  expect(sample.encode({ search: 'a:b, c', sort: 'name', page: 2, limit: 20 })).toBe('search=a:b,+c&sort=name&page=2')
})

test('invalid parameters are ignored', () => {
  expect(sample.decode('page=0&limit=5000&sort=colour&search=' + 'x'.repeat(21))).toEqual({})
  expect(sample.decode('page=2.5&page=3&limit=50x')).toEqual({})
  expect(sample.decode('search=&page=7')).toEqual({ search: '', page: 7 })
})

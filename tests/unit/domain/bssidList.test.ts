/** Finding BSSIDs in pasted text. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePastedIds } from '../../../src/domain/bssidList.ts'

const one = 'A4:1C:09:7E:33:0B'
const two = '30:AE:A4:00:1A:01'

describe('a pasted list', () => {
  test.each([
    ['lines', `${one}\n${two}\n`],
    ['a row of a sheet', `${one}\t${two}`],
    ['commas and quotes', `"${one}", "${two}"`],
    ['semicolons', `${one};${two};`],
    ['bare digits', 'a41c097e330b 30aea4001a01'],
    ['dashes', 'A4-1C-09-7E-33-0B / 30-AE-A4-00-1A-01'],
    ['dots in fours', 'a41c.097e.330b,30ae.a400.1a01'],
    ['blanks inside', 'A4 1C 09 7E 33 0B\nA4 1C 09 7E 33 0B\n30 AE A4 00 1A 01'],
    ['brackets', `[${one}](${two})`],
  ])('%s', (_, text) => {
    expect(parsePastedIds(text)).toEqual({ ids: [one, two], otherWords: [] })
  })

  test('returns other words once each', () => {
    expect(parsePastedIds(`bssid,description\n${one},Kitchen\nA4:1C:09:7E:33,Kitchen\nzz`)).toEqual({
      ids: [one],
      otherWords: ['bssid', 'description', 'Kitchen', 'A4:1C:09:7E:33', 'zz'],
    })
  })

  test('thirteen digits are not an id', () => {
    expect(parsePastedIds('A41C097E330B0')).toEqual({ ids: [], otherWords: ['A41C097E330B0'] })
  })

  test.each(['A4:1C:09:7E:33:0B:11:22', '01 A4 1C 09 7E 33 0B', 'A4-1C-09-7E-33-0B-11'])(
    'a sequence of more than six pairs is not an id: %s',
    text => expect(parsePastedIds(text).ids).toEqual([]),
  )

  test.each([`01 ${one}`, `${one} 22`, `7: ${one}, 12`])('a number beside an id is not part of it: %s', text =>
    expect(parsePastedIds(text).ids).toEqual([one]),
  )

  const bssid = fc
    .array(fc.integer({ min: 0, max: 255 }), { minLength: 6, maxLength: 6 })
    .map(bytes => bytes.map(byte => byte.toString(16).padStart(2, '0')))
  const spelling = fc.constantFrom(
    (pairs: string[]) => pairs.join(':').toUpperCase(),
    (pairs: string[]) => pairs.join('-'),
    (pairs: string[]) => pairs.join(''),
  )
  const separator = fc.constantFrom('\n', '\r\n', ', ', ';', '\t', ' ', ' | ')

  test('finds every id in any spelling, between any separators, once and in order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(bssid, spelling, separator), { maxLength: 20 }), parts => {
        const text = parts.map(([pairs, spell, between]) => spell(pairs) + between).join('')
        const expected = parts.map(([pairs]) => pairs.join(':').toUpperCase())
        expect(parsePastedIds(text)).toEqual({ ids: [...new Set(expected)], otherWords: [] })
      }),
    )
  })
})

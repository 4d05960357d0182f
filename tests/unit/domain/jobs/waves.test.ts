import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exceeds, waveSizes } from '../../../../src/domain/jobs/waves.ts'

const percentages = fc.integer({ min: 1, max: 1_000_000 }).map(parts => `${parts / 10_000}%`)
const sizes = fc.oneof(fc.integer({ min: 1, max: 100_000 }), percentages)
const waveLists = fc.array(fc.record({ size: sizes }), { minLength: 1, maxLength: 20 })
const totals = fc.integer({ min: 0, max: 200_000 })

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

test('law: waves have every device once, none is empty, and there is at most one more than listed', () => {
  fc.assert(
    fc.property(waveLists, totals, (waves, total) => {
      const result = waveSizes(waves, total)
      expect(sum(result)).toBe(total)
      expect(result.every(size => Number.isInteger(size) && size >= 1)).toBe(true)
      expect(result.length).toBeLessThanOrEqual(waves.length + 1)
    }),
  )
})

test('law: a wave has the listed number of devices, unless it is the last', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 20 }), totals, (list, total) => {
      const result = waveSizes(
        list.map(size => ({ size })),
        total,
      )
      expect(result.slice(0, -1)).toEqual(list.slice(0, Math.max(0, result.length - 1)))
    }),
  )
})

test('law: a share is rounded up to a whole device, exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 200_000 }), (parts, total) => {
      const exact = (BigInt(parts) * BigInt(total) + 999_999n) / 1_000_000n
      expect(waveSizes([{ size: `${parts / 10_000}%` }], total)[0]).toBe(Number(exact))
    }),
  )
})

test.each([
  ['without waves all devices are one wave', [], 70, [70]],
  ['the rest is the last wave', [1, 5], 10, [1, 5, 4]],
  ['there is no rest', ['50%', '50%'], 10, [5, 5]],
  ['a share of all devices, not of those left', ['10%', '10%'], 100, [10, 10, 80]],
  ['a share is rounded up', ['1%', '10%'], 42, [1, 5, 36]],
  ['a share that is whole is not rounded up', ['7%'], 100, [7, 93]],
  ['a share with decimals', ['0.5%'], 1000, [5, 995]],
  ['sizes are capped by what is left', [6, 6, 6], 10, [6, 4]],
  ['all devices in the first wave', ['100%', 5], 3, [3]],
  ['more waves than devices', ['1%', '1%', '1%'], 2, [1, 1]],
  ['no devices', [5, '10%'], 0, []],
] as const)('%s', (_, list, total, result) => {
  expect(
    waveSizes(
      list.map(size => ({ size })),
      total,
    ),
  ).toEqual(result)
})

test('a job without waves is one wave', () => {
  expect(waveSizes(undefined, 12)).toEqual([12])
  expect(waveSizes(undefined, 0)).toEqual([])
})

test.each([
  ['too few tasks have ended', '10%', 10, 9, 9, false],
  ['exactly the share failed', '10%', 10, 10, 1, false],
  ['more than the share failed', '10%', 10, 10, 2, true],
  ['a share that has no exact fraction', '7%', 1, 100, 7, false],
  ['a share with decimals', '0.5%', 100, 199, 1, true],
  ['any failure', '0%', 1, 1000, 1, true],
  ['no failure', '0%', 1, 1000, 0, false],
  ['not more than all can fail', '100%', 1, 5, 5, false],
] as const)('stop: %s', (_, share, after, ended, failed, result) => {
  expect(exceeds({ failed: share, after }, { ended, failed })).toBe(result)
})

test('without a stop rule no failure pauses', () => {
  expect(exceeds(undefined, { ended: 10, failed: 10 })).toBe(false)
})

test('law: one more failure among as many ended tasks never lifts a stop', () => {
  fc.assert(
    fc.property(
      percentages,
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 500 }),
      fc.nat(499),
      (share, after, ended, failed) => {
        const stop = { failed: share, after }
        fc.pre(failed < ended)
        if (exceeds(stop, { ended, failed })) expect(exceeds(stop, { ended, failed: failed + 1 })).toBe(true)
      },
    ),
  )
})

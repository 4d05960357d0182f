import { expect, test } from 'vitest'
import { limitConcurrency } from '../../../../src/domain/lib/limitConcurrency.ts'

test('work runs in order, at most the given number at once, also after a failure', async () => {
  const limited = limitConcurrency(2)
  const started: number[] = []
  const finish: (() => void)[] = []
  const work = (one: number) =>
    limited(async () => {
      started.push(one)
      await new Promise<void>(resolve => (finish[one] = resolve))
      if (one === 0) throw new Error('failed')
      return one
    }).catch((error: unknown) => error)
  const all = [0, 1, 2, 3].map(work)
  expect(started).toEqual([0, 1])
  finish[0]!()
  expect(await all[0]).toBeInstanceOf(Error)
  await Promise.resolve()
  expect(started).toEqual([0, 1, 2])
  finish[1]!()
  finish[2]!()
  expect(await Promise.all([all[1], all[2]])).toEqual([1, 2])
  expect(started).toEqual([0, 1, 2, 3])
  finish[3]!()
  expect(await all[3]).toBe(3)
})

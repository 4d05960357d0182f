/** Many questions as few batches: none is lost, none is mixed up. */
import { expect, test } from 'vitest'
import { batched } from '../../../../server/core/batches.ts'

test('each gets its own answer, in few batches of at most so many', async () => {
  const sizes: number[] = []
  const double = batched(async (asked: readonly number[]) => {
    sizes.push(asked.length)
    return asked.map(each => each * 2)
  }, 100)
  const asked = Array.from({ length: 250 }, (_, at) => at)
  expect(await Promise.all(asked.map(double))).toEqual(asked.map(each => each * 2))
  expect(sizes).toEqual([100, 100, 50])
})

test('while a batch is under way the next gathers', async () => {
  const batches: (readonly string[])[] = []
  let finish = () => {}
  const ask = batched(async (asked: readonly string[]) => {
    batches.push(asked)
    if (batches.length === 1) await new Promise<void>(resolve => (finish = resolve))
    return asked
  })
  const first = ask('a')
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  const others = ['b', 'c', 'd'].map(ask)
  await new Promise(setImmediate)
  expect(batches).toEqual([['a']])
  finish()
  expect(await Promise.all([first, ...others])).toEqual(['a', 'b', 'c', 'd'])
  expect(batches).toEqual([['a'], ['b', 'c', 'd']])
})

test('a batch that fails fails for all of it, and the next goes on', async () => {
  let fails = true
  const ask = batched(async (asked: readonly number[]) => {
    if (fails) throw new Error('broken')
    return asked
  })
  const lost = await Promise.allSettled([ask(1), ask(2)])
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await ask(3)).toBe(3)
})

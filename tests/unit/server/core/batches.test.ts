/** `batched` combines many calls into few batches: no call is lost, and no result reaches another call. */
import { expect, test } from 'vitest'
import { batched } from '../../../../server/core/batches.ts'

test('each call gets its own result, in as few batches as the maximum size allows', async () => {
  const sizes: number[] = []
  const double = batched(async (items: readonly number[]) => {
    sizes.push(items.length)
    return items.map(each => each * 2)
  }, 100)
  const items = Array.from({ length: 250 }, (_, at) => at)
  expect(await Promise.all(items.map(double))).toEqual(items.map(each => each * 2))
  expect(sizes).toEqual([100, 100, 50])
})

test('calls made while a batch runs are combined into the next batch', async () => {
  const batches: (readonly string[])[] = []
  let finish = () => {}
  const echo = batched(async (items: readonly string[]) => {
    batches.push(items)
    if (batches.length === 1) await new Promise<void>(resolve => (finish = resolve))
    return items
  })
  const first = echo('a')
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  const others = ['b', 'c', 'd'].map(echo)
  await new Promise(setImmediate)
  expect(batches).toEqual([['a']])
  finish()
  expect(await Promise.all([first, ...others])).toEqual(['a', 'b', 'c', 'd'])
  expect(batches).toEqual([['a'], ['b', 'c', 'd']])
})

test('a failed batch rejects all of its calls, and the next batch still runs', async () => {
  let fails = true
  const echo = batched(async (items: readonly number[]) => {
    if (fails) throw new Error('broken')
    return items
  })
  const rejected = await Promise.allSettled([echo(1), echo(2)])
  expect(rejected.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await echo(3)).toBe(3)
})

import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { addressGroup } from '../../../../server/core/addressGroup.ts'
import { limited } from '../../../../server/core/limited.ts'
import { openWaitingConnections } from '../../../../server/core/waitingConnections.ts'

const connection = () => new PassThrough()

describe('a connection without a free place', () => {
  test('takes that of the oldest from the address that has the most', () => {
    const waiting = openWaitingConnections(5)
    const flood = [connection(), connection(), connection()]
    const others = [connection(), connection()]
    for (const [at, one] of others.entries()) waiting.add(one, `192.0.2.${at}`)
    for (const one of flood) waiting.add(one, '198.51.100.1')
    const next = connection()
    waiting.add(next, '192.0.2.9')
    expect(flood.map(({ destroyed }) => destroyed)).toEqual([true, false, false])
    // The flood goes on, and only loses places of its own.
    for (let each = 0; each < 10; each++) waiting.add(connection(), '198.51.100.1')
    expect([...others, next].map(({ destroyed }) => destroyed)).toEqual([false, false, false])
    expect(flood.map(({ destroyed }) => destroyed)).toEqual([true, true, true])
  })

  test('does not take the place of one that the server works for', () => {
    const waiting = openWaitingConnections(2)
    const [first, second, third, fourth] = [connection(), connection(), connection(), connection()]
    waiting.add(first, '192.0.2.1')
    waiting.add(second, '192.0.2.1')
    waiting.hold(first)
    waiting.add(third, '192.0.2.1')
    expect([first, second, third].map(({ destroyed }) => destroyed)).toEqual([false, true, false])
    waiting.hold(third)
    waiting.add(fourth, '192.0.2.2')
    expect([first, third, fourth].map(({ destroyed }) => destroyed)).toEqual([false, false, true])
    waiting.release(first)
    const fifth = connection()
    waiting.add(fifth, '192.0.2.2')
    expect([first, third, fifth].map(({ destroyed }) => destroyed)).toEqual([true, false, false])
  })

  test('finds the place of one that no longer waits', () => {
    const waiting = openWaitingConnections(1)
    const [first, second] = [connection(), connection()]
    waiting.add(first, '192.0.2.1')
    waiting.delete(first)
    waiting.add(second, '192.0.2.2')
    expect([first, second].map(({ destroyed }) => destroyed)).toEqual([false, false])
  })
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:0201', '192.0.2.1'],
  ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
  ['2001:DB8:0:7:ffff::1', '2001:db8:0:7::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('the group of %s is %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

test('limited work runs in order, also after a failure', async () => {
  const run = limited(2)
  const ends: (() => void)[] = []
  const started: number[] = []
  const work = (number: number) =>
    run(async () => {
      started.push(number)
      await new Promise<void>(resolve => ends.push(resolve))
      if (number === 0) throw new Error('failed')
      return number
    })
  const results = Promise.allSettled([0, 1, 2, 3].map(work))
  expect(started).toEqual([0, 1])
  for (const count of [3, 4]) {
    ends.shift()!()
    await expect.poll(() => started.length).toBe(count)
  }
  expect(started).toEqual([0, 1, 2, 3])
  for (const end of ends) end()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
})

/** A list that is loaded from the newest on: whatever happens in whatever order, what is loaded is its exact beginning. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageSize } from '../../../src/api/feedLoader.ts'
import { isComplete } from '../../../src/domain/feed.ts'
import { newestFirst, world, type Row, type World } from '../support/feedWorld.ts'

const ids = (rows: readonly Row[]) => rows.map(({ _id }) => _id)
/** Failures are told to whoever asked; here nobody minds. */
const ignored = (asked: Promise<void>) => void asked.catch(() => undefined)

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('make' as const), back: fc.oneof(fc.nat(2), fc.nat(30)) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('tell', 'look', 'answer', 'more' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('fail', 'refresh', 'reread' as const) }) },
)
function act({ feed, ...given }: World, one: { do: string; back?: number }) {
  if (one.do === 'make') given.make(one.back ?? 0)
  if (one.do === 'tell') given.tell()
  if (one.do === 'look') given.look('answer')
  if (one.do === 'fail') given.look('failure')
  if (one.do === 'answer') given.answer()
  if (one.do === 'more') ignored(feed.more())
  if (one.do === 'refresh') ignored(feed.refresh())
  if (one.do === 'reread') feed.reload()
}

async function wholeOf({ feed, rest, ...given }: World) {
  const bound = { feed, rest, ...given }
  for (let turn = 0; turn < 60 && !isComplete(feed.state()); turn++) {
    ignored(feed.more())
    await bound.rest()
  }
}

describe('any interleaving of arrivals, questions, answers and failures', () => {
  test('leaves every row exactly once, in order, and the next offset is how many are loaded', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(40), fc.array(step, { maxLength: 60 }), async (stored, steps) => {
        const here = world(stored)
        ignored(here.feed.refresh())
        await here.rest()
        for (const one of steps) {
          act(here, one)
          await here.settle()
          const { rows } = here.feed.state()
          expect(ids(rows)).toEqual(ids([...rows].sort(newestFirst)))
          expect(new Set(ids(rows)).size).toBe(rows.length)
        }
        await here.rest()
        const { rows, loading, count } = here.feed.state()
        expect(loading).toBeUndefined()
        // More are thought to be there at most, so that the last of them is always asked for.
        expect(count).toBeGreaterThanOrEqual(here.all().length)
        expect(ids(rows)).toEqual(ids(here.all().slice(0, rows.length)))
        const before = here.asked.length
        ignored(here.feed.more())
        await here.settle()
        if (here.asked.length > before) expect(here.asked.at(-1)).toEqual({ offset: rows.length, limit: pageSize })
        await here.rest()
        await wholeOf(here)
        expect(ids(here.feed.state().rows)).toEqual(ids(here.all()))
        expect(here.feed.state().count).toBe(here.all().length)
      }),
      { numRuns: 150 },
    ))

  test('what was not told, and what is gone, is mended by reading it again', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(40), fc.array(step, { maxLength: 30 }), fc.nat(30), async (stored, steps, gone) => {
        const here = world(stored)
        ignored(here.feed.refresh())
        await here.rest()
        for (const one of steps) {
          act(here, one)
          await here.settle()
        }
        here.forget()
        here.remove(gone)
        await here.rest()
        here.feed.reload()
        await here.rest()
        const { rows, count } = here.feed.state()
        expect(ids(rows)).toEqual(ids(here.all().slice(0, rows.length)))
        expect(count).toBe(here.all().length)
      }),
      { numRuns: 100 },
    ))
})

test('a failure rolls the offset back: the next question is the same', async () => {
  const here = world(40)
  ignored(here.feed.refresh())
  await here.rest()
  const failed = here.feed.more()
  here.look('failure')
  await expect(failed).rejects.toThrow('No')
  expect(here.feed.state().failed?.kind).toBe('more')
  expect(here.feed.state().rows).toHaveLength(12)
  // To read again what is loaded is no answer to it.
  here.feed.reload()
  await here.rest()
  expect(here.asked.pop()).toEqual({ offset: 0, limit: 12 })
  expect(here.feed.state().failed?.kind).toBe('more')
  ignored(here.feed.more())
  await here.rest()
  expect(here.asked).toEqual([
    { offset: 0, limit: 12 },
    { offset: 12, limit: 12 },
    { offset: 12, limit: 12 },
  ])
  expect(here.feed.state()).toMatchObject({ failed: undefined, loading: undefined, count: 40 })
  expect(here.feed.state().rows).toHaveLength(24)
})

test('to refresh starts at offset 0; where that fails, what was loaded stays', async () => {
  const here = world(40)
  ignored(here.feed.refresh())
  await here.rest()
  ignored(here.feed.more())
  await here.rest()
  const failed = here.feed.refresh()
  expect(here.feed.state().rows).toHaveLength(24)
  here.look('failure')
  await expect(failed).rejects.toThrow('No')
  expect(here.feed.state().rows).toHaveLength(24)
  ignored(here.feed.refresh())
  await here.rest()
  expect(here.asked.slice(-2)).toEqual([
    { offset: 0, limit: 12 },
    { offset: 0, limit: 12 },
  ])
  expect(here.feed.state().rows).toHaveLength(12)
})

test('more that is asked for while the beginning is read again, and again, comes after that', async () => {
  const here = world(40)
  ignored(here.feed.refresh())
  await here.rest()
  here.feed.reload()
  here.feed.reload()
  ignored(here.feed.more())
  await here.rest()
  expect(here.asked.map(({ offset }) => offset)).toEqual([0, 0, 0, 12])
  expect(here.feed.state()).toMatchObject({ loading: undefined, count: 40 })
  expect(here.feed.state().rows).toHaveLength(24)
})

test('more that waits for something else is not asked for once it is stopped', async () => {
  const here = world(40)
  ignored(here.feed.refresh())
  await here.rest()
  here.feed.reload()
  const more = here.feed.more()
  here.feed.stop()
  await more
  expect(here.asked.map(({ offset }) => offset)).toEqual([0, 0])
})

test('what is gone from the beginning is found out when more is loaded, and nothing is left out', async () => {
  const here = world(40)
  ignored(here.feed.refresh())
  await here.rest()
  here.remove(3)
  ignored(here.feed.more())
  await here.rest()
  const { rows } = here.feed.state()
  expect(ids(rows)).toEqual(ids(here.all().slice(0, rows.length)))
  expect(rows.length).toBeGreaterThan(12)
})

test('what arrives while more is on its way is neither lost nor counted away', async () => {
  const here = world(25)
  ignored(here.feed.refresh())
  await here.rest()
  ignored(here.feed.more())
  here.look('answer')
  here.make(0)
  here.tell()
  here.answer()
  await here.rest()
  expect(ids(here.feed.state().rows)).toEqual(ids(here.all().slice(0, 25)))
  expect(here.feed.state().count).toBe(26)
  expect(here.asked).toHaveLength(2)
})

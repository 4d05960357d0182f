/** The feed loader: in any order of events, the loaded rows are exactly the newest rows of the list. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageSize } from '../../../src/api/feedLoader.ts'
import { isComplete } from '../../../src/domain/feed.ts'
import { newestFirst, openFeedScenario, type Row, type FeedScenario } from '../support/feedScenario.ts'

const ids = (rows: readonly Row[]) => rows.map(({ _id }) => _id)
/** Ignores the rejection of a request. */
const ignoreFailure = (request: Promise<void>) => void request.catch(() => undefined)

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), back: fc.oneof(fc.nat(2), fc.nat(30)) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('publish', 'handle', 'respond', 'more' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('fail', 'refresh', 'reread' as const) }) },
)
function act({ feed, ...server }: FeedScenario, one: { do: string; back?: number }) {
  if (one.do === 'create') server.create(one.back ?? 0)
  if (one.do === 'publish') server.publish()
  if (one.do === 'handle') server.handle('answer')
  if (one.do === 'fail') server.handle('failure')
  if (one.do === 'respond') server.respond()
  if (one.do === 'more') ignoreFailure(feed.more())
  if (one.do === 'refresh') ignoreFailure(feed.refresh())
  if (one.do === 'reread') feed.reload()
}

async function loadAll(scenario: FeedScenario) {
  const { feed } = scenario
  for (let turn = 0; turn < 60 && !isComplete(feed.state()); turn++) {
    ignoreFailure(feed.more())
    await scenario.settleAll()
  }
}

describe('any interleaving of new rows, requests, responses and failures', () => {
  test('loads every row exactly once, in order, and requests the next page at the number of loaded rows', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(40), fc.array(step, { maxLength: 60 }), async (stored, steps) => {
        const scenario = openFeedScenario(stored)
        ignoreFailure(scenario.feed.refresh())
        await scenario.settleAll()
        for (const one of steps) {
          act(scenario, one)
          await scenario.settle()
          const { rows } = scenario.feed.state()
          expect(ids(rows)).toEqual(ids([...rows].sort(newestFirst)))
          expect(new Set(ids(rows)).size).toBe(rows.length)
        }
        await scenario.settleAll()
        const { rows, loading, count } = scenario.feed.state()
        expect(loading).toBeUndefined()
        // The count may be too high but never too low, so that the last row is always requested.
        expect(count).toBeGreaterThanOrEqual(scenario.all().length)
        expect(ids(rows)).toEqual(ids(scenario.all().slice(0, rows.length)))
        const before = scenario.requests.length
        ignoreFailure(scenario.feed.more())
        await scenario.settle()
        if (scenario.requests.length > before)
          expect(scenario.requests.at(-1)).toEqual({ offset: rows.length, limit: pageSize })
        await scenario.settleAll()
        await loadAll(scenario)
        expect(ids(scenario.feed.state().rows)).toEqual(ids(scenario.all()))
        expect(scenario.feed.state().count).toBe(scenario.all().length)
      }),
      { numRuns: 150 },
    ))

  test('reloading corrects missed events and deleted rows', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(40), fc.array(step, { maxLength: 30 }), fc.nat(30), async (stored, steps, removed) => {
        const scenario = openFeedScenario(stored)
        ignoreFailure(scenario.feed.refresh())
        await scenario.settleAll()
        for (const one of steps) {
          act(scenario, one)
          await scenario.settle()
        }
        scenario.dropEvents()
        scenario.remove(removed)
        await scenario.settleAll()
        scenario.feed.reload()
        await scenario.settleAll()
        const { rows, count } = scenario.feed.state()
        expect(ids(rows)).toEqual(ids(scenario.all().slice(0, rows.length)))
        expect(count).toBe(scenario.all().length)
      }),
      { numRuns: 100 },
    ))
})

test('a failed page is requested again at the same offset', async () => {
  const scenario = openFeedScenario(40)
  ignoreFailure(scenario.feed.refresh())
  await scenario.settleAll()
  const failed = scenario.feed.more()
  scenario.handle('failure')
  await expect(failed).rejects.toThrow('No')
  expect(scenario.feed.state().failed?.kind).toBe('more')
  expect(scenario.feed.state().rows).toHaveLength(12)
  // Reloading the loaded rows does not clear the failure.
  scenario.feed.reload()
  await scenario.settleAll()
  expect(scenario.requests.pop()).toEqual({ offset: 0, limit: 12 })
  expect(scenario.feed.state().failed?.kind).toBe('more')
  ignoreFailure(scenario.feed.more())
  await scenario.settleAll()
  expect(scenario.requests).toEqual([
    { offset: 0, limit: 12 },
    { offset: 12, limit: 12 },
    { offset: 12, limit: 12 },
  ])
  expect(scenario.feed.state()).toMatchObject({ failed: undefined, loading: undefined, count: 40 })
  expect(scenario.feed.state().rows).toHaveLength(24)
})

test('refreshing starts at offset 0, and keeps the loaded rows if it fails', async () => {
  const scenario = openFeedScenario(40)
  ignoreFailure(scenario.feed.refresh())
  await scenario.settleAll()
  ignoreFailure(scenario.feed.more())
  await scenario.settleAll()
  const failed = scenario.feed.refresh()
  expect(scenario.feed.state().rows).toHaveLength(24)
  scenario.handle('failure')
  await expect(failed).rejects.toThrow('No')
  expect(scenario.feed.state().rows).toHaveLength(24)
  ignoreFailure(scenario.feed.refresh())
  await scenario.settleAll()
  expect(scenario.requests.slice(-2)).toEqual([
    { offset: 0, limit: 12 },
    { offset: 0, limit: 12 },
  ])
  expect(scenario.feed.state().rows).toHaveLength(12)
})

test('a page requested during repeated reloads is loaded after them', async () => {
  const scenario = openFeedScenario(40)
  ignoreFailure(scenario.feed.refresh())
  await scenario.settleAll()
  scenario.feed.reload()
  scenario.feed.reload()
  ignoreFailure(scenario.feed.more())
  await scenario.settleAll()
  expect(scenario.requests.map(({ offset }) => offset)).toEqual([0, 0, 0, 12])
  expect(scenario.feed.state()).toMatchObject({ loading: undefined, count: 40 })
  expect(scenario.feed.state().rows).toHaveLength(24)
})

test('a queued page is not requested after the feed was stopped', async () => {
  const scenario = openFeedScenario(40)
  ignoreFailure(scenario.feed.refresh())
  await scenario.settleAll()
  scenario.feed.reload()
  const more = scenario.feed.more()
  scenario.feed.stop()
  await more
  expect(scenario.requests.map(({ offset }) => offset)).toEqual([0, 0])
})

test('loading more after a row was deleted skips no row', async () => {
  const scenario = openFeedScenario(40)
  ignoreFailure(scenario.feed.refresh())
  await scenario.settleAll()
  scenario.remove(3)
  ignoreFailure(scenario.feed.more())
  await scenario.settleAll()
  const { rows } = scenario.feed.state()
  expect(ids(rows)).toEqual(ids(scenario.all().slice(0, rows.length)))
  expect(rows.length).toBeGreaterThan(12)
})

test('a row that arrives while a page is loading is neither lost nor counted twice', async () => {
  const scenario = openFeedScenario(25)
  ignoreFailure(scenario.feed.refresh())
  await scenario.settleAll()
  ignoreFailure(scenario.feed.more())
  scenario.handle('answer')
  scenario.create(0)
  scenario.publish()
  scenario.respond()
  await scenario.settleAll()
  expect(ids(scenario.feed.state().rows)).toEqual(ids(scenario.all().slice(0, 25)))
  expect(scenario.feed.state().count).toBe(26)
  expect(scenario.requests).toHaveLength(2)
})

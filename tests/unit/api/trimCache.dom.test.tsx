/** The number of responses in the cache. */
import { cleanup, render } from '@testing-library/react'
import useSWR, { unstable_serialize } from 'swr'
import { afterEach, expect, test } from 'vitest'
import { cache, cachedData, clearCache } from '../../../src/api/cache.ts'
import { listKey } from '../../../src/api/hooks.ts'
import { trimCache } from '../../../src/api/live.ts'

afterEach(() => {
  cleanup()
  clearCache()
})

const pageKey = (page: number) => listKey('devices', { offset: page * 20, limit: 20 })

function Page({ page }: { page: number }) {
  useSWR(pageKey(page), () => new Promise(() => undefined))
  return null
}

test('of the pages that nothing shows, the oldest are dropped; those on screen and other responses stay', () => {
  const other = ['/api/v3/health/summary', null]
  cache.set(unstable_serialize(other), { data: 'Health' })
  for (let page = 0; page < 300; page++) cache.set(unstable_serialize(pageKey(page)), { data: page })
  render(<Page page={0} />)
  trimCache()
  const kept = Array.from({ length: 300 }, (_, page) => cachedData<number>(pageKey(page))).filter(
    page => page !== undefined,
  )
  expect(kept).toHaveLength(201)
  expect(kept.slice(0, 2)).toEqual([0, 100])
  expect(cachedData(other)).toBe('Health')
})

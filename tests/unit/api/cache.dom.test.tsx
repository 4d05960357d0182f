/** The cache after another account has signed in. */
import { cleanup, render, screen } from '@testing-library/react'
import useSWR from 'swr'
import { afterEach, expect, test } from 'vitest'
import { clearCache } from '../../../src/api/cache.ts'
import { until } from '../../support/until.ts'

afterEach(() => {
  cleanup()
  clearCache()
})

/** Reads the same key for every account; `dedupingInterval` would suppress a second request. */
function Answer({ fetcher }: { fetcher: () => Promise<string> }) {
  const { data } = useSWR(['/api/v3/devices', null], fetcher, { dedupingInterval: 60_000 })
  return <p>{data ?? 'Nothing yet'}</p>
}
const shows = (text: string) => until(() => expect(screen.getByText(text)).toBeTruthy())

test('data is fetched again after the cache was cleared, also within the deduping interval', async () => {
  render(<Answer fetcher={async () => 'Of the first'} />)
  await shows('Of the first')
  cleanup()
  clearCache()
  render(<Answer fetcher={async () => 'Of the second'} />)
  expect(screen.queryByText('Of the first')).toBeNull()
  await shows('Of the second')
})

test('a response that arrives after the cache was cleared is discarded', async () => {
  let respond: (text: string) => void = () => undefined
  const lateResponse = new Promise<string>(resolve => {
    respond = resolve
  })
  render(<Answer fetcher={() => lateResponse} />)
  await shows('Nothing yet')
  cleanup()
  clearCache()
  const shown: (string | null)[] = []
  render(<Answer fetcher={async () => lateResponse.then(() => 'Of the second')} />)
  const observer = new MutationObserver(() => shown.push(document.body.textContent))
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  respond('Of the first')
  await shows('Of the second')
  observer.disconnect()
  expect(shown).toEqual(['Of the second'])
})

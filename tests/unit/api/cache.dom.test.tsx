/** What was read for one account, once the next has come. */
import { cleanup, render, screen } from '@testing-library/react'
import useSWR from 'swr'
import { afterEach, expect, test } from 'vitest'
import { clearCache } from '../../../src/api/cache.ts'
import { until } from '../../support/until.ts'

afterEach(() => {
  cleanup()
  clearCache()
})

/** The same question, whoever asks; as long as it is new it is not asked twice. */
function Answer({ of }: { of: () => Promise<string> }) {
  const { data } = useSWR(['/api/v3/devices', null], of, { dedupingInterval: 60_000 })
  return <p>{data ?? 'Nothing yet'}</p>
}
const shows = (text: string) => until(() => expect(screen.getByText(text)).toBeTruthy())

test('is asked again at once, however short a time ago that was', async () => {
  render(<Answer of={async () => 'Of the first'} />)
  await shows('Of the first')
  cleanup()
  clearCache()
  render(<Answer of={async () => 'Of the second'} />)
  expect(screen.queryByText('Of the first')).toBeNull()
  await shows('Of the second')
})

test('an answer that comes only then is nobody’s', async () => {
  let answer: (text: string) => void = () => undefined
  const late = new Promise<string>(resolve => {
    answer = resolve
  })
  render(<Answer of={() => late} />)
  await shows('Nothing yet')
  cleanup()
  clearCache()
  const shown: (string | null)[] = []
  render(<Answer of={async () => late.then(() => 'Of the second')} />)
  const watching = new MutationObserver(() => shown.push(document.body.textContent))
  watching.observe(document.body, { subtree: true, childList: true, characterData: true })
  answer('Of the first')
  await shows('Of the second')
  watching.disconnect()
  expect(shown).toEqual(['Of the second'])
})

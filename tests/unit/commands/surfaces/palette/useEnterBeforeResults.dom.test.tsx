/** Enter pressed before the results of a query have arrived. */
import { act, cleanup, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startKeyBuffer } from '../../../../../src/commands/surfaces/keys/keyBuffer.ts'
import { useEnterBeforeResults } from '../../../../../src/commands/surfaces/palette/useEnterBeforeResults.ts'

type Search = Parameters<typeof useEnterBeforeResults>[0]
const choose = vi.fn<() => void>()
const keys: string[] = []
const onKey = ({ key }: KeyboardEvent) => void keys.push(key)
let stop: () => void

beforeEach(() => {
  choose.mockReset()
  keys.length = 0
  stop = startKeyBuffer()
  document.body.addEventListener('keydown', onKey)
})
afterEach(() => {
  cleanup()
  stop()
  document.body.removeEventListener('keydown', onKey)
})

/** Presses Enter while the results of `fjor` are loading; returns a function that changes the search. */
function enterEarly() {
  const { result, rerender } = renderHook((search: Search) => useEnterBeforeResults(search, choose), {
    initialProps: { query: 'fjor', state: 'loading' },
  })
  act(() => result.current())
  return rerender
}
const press = (key: string) => fireEvent.keyDown(document.body, { key, code: key })

test('the first result is chosen once it has arrived, and only then do later keys act', async () => {
  const rerender = enterEarly()
  press('k')
  rerender({ query: 'fjor', state: 'loading' })
  expect(choose).not.toHaveBeenCalled()
  expect(keys).toEqual([])
  rerender({ query: 'fjor', state: 'settled' })
  expect(choose).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(keys).toEqual(['k']))
  rerender({ query: 'fjord', state: 'settled' })
  expect(choose).toHaveBeenCalledOnce()
})

test.for<readonly [string, Search]>([
  ['the query has changed', { query: 'fjo', state: 'settled' }],
  ['the search has failed', { query: 'fjor', state: 'failed' }],
])('nothing is chosen if %s', ([, next]) => {
  const rerender = enterEarly()
  rerender(next)
  press('j')
  expect(keys).toEqual(['j'])
  rerender({ query: 'fjor', state: 'settled' })
  expect(choose).not.toHaveBeenCalled()
})

test('Esc cancels the choice', () => {
  const rerender = enterEarly()
  press('k')
  act(() => void press('Escape'))
  rerender({ query: 'fjor', state: 'settled' })
  expect(choose).not.toHaveBeenCalled()
  expect(keys).toEqual([])
})

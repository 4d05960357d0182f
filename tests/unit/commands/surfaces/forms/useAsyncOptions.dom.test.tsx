/** Options loaded while typing: only matching ones, and finally those of the last text. */
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useAsyncOptions } from '../../../../../src/commands/surfaces/forms/useAsyncOptions.ts'

interface Search {
  readonly text: string
  readonly signal: AbortSignal
  readonly answer: (options: readonly string[]) => void
  readonly fail: () => void
}
let searches: Search[]
const search = (text: string, signal: AbortSignal) =>
  new Promise<readonly string[]>((resolve, reject) =>
    searches.push({ text, signal, answer: resolve, fail: () => reject(new Error('away')) }),
  )
const searchText = (option: string) => option
const render = (text: string, interval = 0) =>
  renderHook(props => useAsyncOptions(search, props.text, { searchText, interval }), { initialProps: { text } })

beforeEach(() => void (searches = []))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('a response to an older text is ignored', async () => {
  const { result, rerender } = render('a')
  rerender({ text: 'ab' })
  expect(searches.map(({ text, signal }) => [text, signal.aborted])).toEqual([
    ['a', true],
    ['ab', false],
  ])
  await act(async () => searches[0]!.answer(['a']))
  expect(result.current).toEqual({ options: [], state: 'loading' })
  await act(async () => searches[1]!.answer(['ab', 'abc']))
  expect(result.current).toEqual({ options: ['ab', 'abc'], state: 'settled' })
})

test('matching options stay until the next response, also if it fails', async () => {
  const { result, rerender } = render('a')
  await act(async () => searches[0]!.answer(['ab', 'ac']))
  rerender({ text: 'ab' })
  expect(result.current).toEqual({ options: ['ab'], state: 'loading' })
  await act(async () => searches[1]!.fail())
  expect(result.current).toEqual({ options: ['ab'], state: 'failed' })
})

test('searches at once after a pause, and for the last of several quick letters', () => {
  vi.useFakeTimers()
  const searched = () => searches.map(({ text }) => text)
  const { rerender } = render('a', 60)
  expect(searched()).toEqual(['a'])
  vi.advanceTimersByTime(20)
  rerender({ text: 'ab' })
  vi.advanceTimersByTime(20)
  rerender({ text: 'abc' })
  expect(searched()).toEqual(['a'])
  vi.advanceTimersByTime(20)
  expect(searched()).toEqual(['a', 'abc'])
  vi.advanceTimersByTime(60)
  rerender({ text: 'abcd' })
  expect(searched()).toEqual(['a', 'abc', 'abcd'])
})

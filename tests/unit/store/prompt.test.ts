import { expect, test } from 'vitest'
import { createPrompt } from '../../../src/store/prompt.ts'

function open() {
  const shown: (number | undefined)[] = []
  const prompt = createPrompt<{ readonly title: string }, boolean>({
    show: (_, number) => void shown.push(number),
    hide: () => void shown.push(undefined),
  })
  return { prompt, shown }
}

test('an answer hides the request and resolves it, once', async () => {
  const { prompt, shown } = open()
  const asked = prompt.ask({ title: 'Delete?' })
  const request = prompt.current()
  expect(request?.title).toBe('Delete?')
  request?.answer(true)
  request?.answer(false)
  expect(await asked).toBe(true)
  expect(prompt.current()).toBeUndefined()
  expect(shown).toEqual([1, undefined])
})

test('the next request dismisses the one that is open, whose answer then comes too late', async () => {
  const { prompt, shown } = open()
  const first = prompt.ask({ title: 'First?' })
  const late = prompt.current()
  const second = prompt.ask({ title: 'Second?' })
  expect(await first).toBeUndefined()
  late?.answer(true)
  expect(prompt.current()?.title).toBe('Second?')
  prompt.current()?.answer(false)
  expect(await second).toBe(false)
  expect(shown).toEqual([1, undefined, 2, undefined])
})

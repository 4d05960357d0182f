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

test('the first answer hides the prompt and resolves it, and later answers are ignored', async () => {
  const { prompt, shown } = open()
  const answer = prompt.ask({ title: 'Delete?' })
  const request = prompt.current()
  expect(request?.title).toBe('Delete?')
  request?.answer(true)
  request?.answer(false)
  expect(await answer).toBe(true)
  expect(prompt.current()).toBeUndefined()
  expect(shown).toEqual([1, undefined])
})

test('a new prompt dismisses the open one, whose later answer is ignored', async () => {
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

import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerTo, refusals, reportAnswers } from '../../bench/answers.ts'
import { reported, type Figure } from '../../bench/figures.ts'

afterEach(() => void vi.restoreAllMocks())

/** Returns whether the report of a load's answers keeps its aim. */
function judge(answers: readonly string[], permitted: readonly string[]): boolean | null {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const figures: Figure[] = []
  const add = (one: Figure) => void figures.push(one)
  reported.on('figure', add)
  onTestFinished(() => void reported.off('figure', add))
  reportAnswers('sign-ins', answers, permitted)
  return figures.at(-1)!.ok
}

const answer = (status: number, headers: Record<string, string> = {}) =>
  answerTo(Promise.resolve(new Response('', { status, headers })))

it('permits refusals only if they say in seconds when to come back', async () => {
  const [busy, silent, vague] = [
    await answer(503, { 'retry-after': '5' }),
    await answer(503),
    await answer(429, { 'retry-after': 'later' }),
  ]
  expect([busy, silent, vague]).toEqual(['503', '503 without retry-after', '429 without retry-after'])
  expect(judge(['401', busy], ['401', ...refusals])).toBe(true)
  expect(judge(['401', silent], ['401', ...refusals])).toBe(false)
  expect(judge(['401', vague], ['401', ...refusals])).toBe(false)
})

it('fails for an error, for a call without an answer, and for a load without calls', async () => {
  expect(judge([await answer(500)], refusals)).toBe(false)
  expect(judge([await answerTo(Promise.reject(new Error('The connection was closed')))], refusals)).toBe(false)
  expect(judge([], refusals)).toBe(false)
})

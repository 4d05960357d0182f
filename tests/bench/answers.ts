/** What calls of a load are answered, as texts, and whether no other answers than the permitted ones were among them. */
import type { AnswerHead } from '../support/hostile/connection.ts'
import { figure, progress, report } from './figures.ts'

/** What calls beyond the bounds of a queue may be answered, if the answer says when to come back. */
export const refusals: readonly string[] = ['429', '503']
const withoutTime = ' without retry-after'

/** Returns the status as a text. A refusal that does not say when to come back is another text than one that does. */
export const nameOf = ({ status, retryAfter }: AnswerHead): string => {
  const name = String(status)
  return refusals.includes(name) && !/^\d+$/.test(retryAfter ?? '') ? name + withoutTime : name
}

/** Returns what the head of an answer says. */
export const headOf = ({ status, headers }: Response): AnswerHead => ({
  status,
  retryAfter: headers.get('retry-after') ?? undefined,
})

/** Reads an answer to its end, and returns its name, or `no answer`. */
export const answerTo = (call: Promise<Response>): Promise<string> =>
  call.then(
    async answer => {
      await answer.arrayBuffer()
      return nameOf(headOf(answer))
    },
    () => 'no answer',
  )

/** Counts answers by what they are, such as `{ 401: 12, 429: 188 }`. */
export function tally(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1
  return counts
}

/** Returns how many answers are none of the expected ones. */
export const countOthers = (counts: Readonly<Record<string, number>>, expected: readonly string[]): number =>
  Object.entries(counts).reduce((sum, [answer, count]) => (expected.includes(answer) ? sum : sum + count), 0)

/** Reports how many answers to a load are not permitted: none may be, and there has to be an answer at all. */
export function reportAnswers(load: string, answers: readonly string[], permitted: readonly string[]): void {
  const counts = tally(answers)
  progress(`  answers ${JSON.stringify(counts)}`)
  const others = answers.length === 0 ? [] : [countOthers(counts, permitted)]
  report(figure(`${load}: other answers than ${permitted.join(', ')}`, 'answers', others, { max: 0 }))
}

/** Whether two answers say the same, so that what shows them can be left alone. */

const isList = (answer: unknown): answer is { count: unknown; data: readonly unknown[] } =>
  typeof answer === 'object' && answer !== null && 'data' in answer && Array.isArray(answer.data) && 'count' in answer

/** Answers are JSON with their fields in one order. Lists are compared row by row: most rows are the same objects. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isList(one) || !isList(other)) return JSON.stringify(one) === JSON.stringify(other)
  const { data } = other
  return (
    one.count === other.count && one.data.length === data.length && one.data.every((row, at) => same(row, data[at]))
  )
}

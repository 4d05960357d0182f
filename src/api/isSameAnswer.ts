/** Compares responses, so that unchanged data does not render again. */

const isList = (answer: unknown): answer is { count: unknown; data: readonly unknown[] } =>
  typeof answer === 'object' && answer !== null && 'data' in answer && Array.isArray(answer.data) && 'count' in answer

/**
 * Returns whether two responses are equal. Fields have a fixed order; lists are compared by row, as most rows are the
 * same objects.
 */
export function isSameAnswer(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isList(one) || !isList(other)) return JSON.stringify(one) === JSON.stringify(other)
  const { data } = other
  return (
    one.count === other.count &&
    one.data.length === data.length &&
    one.data.every((row, at) => isSameAnswer(row, data[at]))
  )
}

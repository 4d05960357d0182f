/** Compares responses, so that unchanged data does not render again. */

const isList = (response: unknown): response is { count: unknown; count_is?: unknown; data: readonly unknown[] } =>
  typeof response === 'object' &&
  response !== null &&
  'data' in response &&
  Array.isArray(response.data) &&
  'count' in response

/**
 * Returns whether two responses are equal. Fields have a fixed order; lists are compared by row, as most rows are the
 * same objects.
 */
export function isSameResponse(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isList(one) || !isList(other)) return JSON.stringify(one) === JSON.stringify(other)
  const { data } = other
  return (
    one.count === other.count &&
    one.count_is === other.count_is &&
    one.data.length === data.length &&
    one.data.every((row, index) => isSameResponse(row, data[index]))
  )
}

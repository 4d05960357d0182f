/** The amounts of a reading, by the names that they have in messages and in columns. */
export const readingValues = [
  'feed',
  'permeate',
  'feed_flow',
  'permeate_flow',
  'feed_tds',
  'permeate_tds',
  'pressure',
  'temperature',
] as const

/** A bucket of statistics without readings. */
export const emptyPoint = {
  feed: null,
  permeate: null,
  waste: null,
  production_rate: null,
  recovery_rate: null,
  instant_recovery_rate: null,
  rejection_rate: null,
  feed_tds: null,
  permeate_tds: null,
  pressure: null,
  temperature: null,
} as const

/** The channels in which the health of a device is measured. docs/health.md explains them. */

/**
 * What is observed, as natural logarithms, so that a difference of 0.1 is about 10 %:
 * `a` permeate flow at standard conditions; `b` salt passage at standard conditions, settled (two minutes into a draw);
 * `brief` the same from 20 seconds on, which still contains creep; `r` concentrate flow over √pressure (the restrictor);
 * `h` running over resting pressure (in units with a booster pump, the daily step makes the running pressure alone of it and
 * of `p`); `f` feed TDS;
 * `p` resting pressure.
 */
export const observedChannels = ['a', 'b', 'brief', 'r', 'h', 'f', 'p'] as const
export type ObservedChannel = (typeof observedChannels)[number]

/**
 * All channels: besides what a reading contains, `meter`, litres of permeate by the counter over those by its flow and time, and
 * `tank`, the air of a tank, litres times bar of absolute pressure, from runs that fill it.
 */
export const channels = [...observedChannels, 'meter', 'tank'] as const
export type Channel = (typeof channels)[number]

/** Whether a channel is about the membrane: it is corrected by temperature, and begins with the membrane. */
export const isOfMembrane = (channel: string): boolean => channel === 'a' || channel === 'b' || channel === 'brief'

/** A value per channel that has one. */
export type ByChannel<Value> = Partial<Record<Channel, Value>>

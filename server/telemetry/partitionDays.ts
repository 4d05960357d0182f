/**
 * Days in a partition of each table of telemetry, in PostgreSQL and in ClickHouse. Partitions begin at multiples of them,
 * counted from 1970 (UTC), so a change needs a migration.
 *
 * A device has at most 8,640 readings in a partition (one each 10 seconds), 1,008 sums of ten minutes, 720 of hours and,
 * in each time zone in use, 360 of days. Readings are kept for up to a day longer than asked for, and ten-minute sums for up
 * to a week, in some 55 partitions by default. Hours and days are kept forever: 12 partitions of hours and one of days are
 * added each year, and the chart of a year reads at most 14 of hours and 3 of days.
 */
export const partitionDays = { readings: 1, tenMinutes: 7, hours: 30, days: 360 } as const

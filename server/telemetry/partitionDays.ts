/**
 * Days in a partition of each table of telemetry, in PostgreSQL and in ClickHouse. Partitions begin at multiples of them,
 * counted from 1970 (UTC), so a change needs a migration.
 *
 * A device has at most 8,640 readings in a partition (one each 10 seconds), 1,008 sums of ten minutes, 720 of hours and,
 * in each time zone in use, 360 of days. What is dropped is kept for up to a partition longer than asked for: a day of
 * readings, a week of ten minutes, of which there are some 55 partitions by default. Hours and days are kept forever, in 12
 * and one more partition a year; the chart of a year reads 14 and 3 of them at most.
 */
export const partitionDays = { readings: 1, tenMinutes: 7, hours: 30, days: 360 } as const

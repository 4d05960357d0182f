/** When, how fast and how far a job runs its command on its devices. */
import * as z from 'zod/mini'
import { ruleProblem } from '../../domain/jobs/rule.ts'
import { integer, TimeInput, TimeZone } from './fields.ts'

/** A share of devices or tasks in percent: `5%`, `0.5%`; up to four decimals, so that it can be calculated exactly. */
const percentage = /^(?:100(?:\.0{1,4})?|(?:0|[1-9]\d?)(?:\.\d{1,4})?)%$/
const share = z.string().check(z.regex(percentage, 'must be a percentage up to 100%, such as 5%'))

/** The largest number of devices in a wave, of ended tasks before a stop, and of devices a minute. */
const maxDevices = 100_000

const WaveSize = z.union(
  [
    integer(1, maxDevices),
    share.check(
      z.refine(text => Number.parseFloat(text) > 0, {
        error: 'must be more than 0%',
        // A text that is not a percentage has its own message.
        when: ({ issues }) => issues.length === 0,
      }),
    ),
  ],
  'must be a number of devices or a percentage, such as 5%',
)

export const JobWave = z.strictObject({
  /** A number of devices, or a share of the devices that the job reaches: `5%`. */
  size: WaveSize,
  /** Minutes after the wave has ended until the next begins; at most 30 days. */
  wait: z.optional(integer(0, 30 * 24 * 60)),
})
export type JobWave = z.output<typeof JobWave>

/** The job pauses when, of at least `after` ended tasks of a wave, a share larger than `failed` has failed. */
export const JobStop = z.strictObject({
  failed: share,
  after: integer(1, maxDevices),
})
export type JobStop = z.output<typeof JobStop>

const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 22:30'))

/**
 * Local times of day at which tasks may begin. With `to` before `from` the window closes on the following day; `days` are
 * those on which it opens.
 */
export const JobWindow = z
  .strictObject({
    /** From 1, Monday, to 7, Sunday. */
    days: z.array(integer(1, 7)).check(
      z.minLength(1),
      z.maxLength(7),
      z.refine(days => new Set(days).size === days.length, 'must not contain a day twice'),
    ),
    /** `HH:MM`; the window is open from then on. */
    from: timeOfDay,
    /** `HH:MM`, exclusive. */
    to: timeOfDay,
  })
  .check(
    z.refine(({ from, to }) => from !== to, {
      error: 'must have a length',
      // A time that is not one has its own message.
      when: ({ issues }) => issues.length === 0,
    }),
  )
export type JobWindow = z.output<typeof JobWindow>

/**
 * When an update of the firmware has succeeded: once the device reports the version and has been online for so many minutes,
 * or as soon as it has acknowledged the command.
 */
const Success = z.union(
  [z.literal('acknowledged'), z.strictObject({ minutes: integer(1, 24 * 60) })],
  'must be acknowledged, or have minutes',
)

/** When a job is repeated: each time creates a job of its own, for the devices that the repeating job has then. */
export const JobRepeat = z.strictObject({
  /** A rule of RFC 5545 (`FREQ=MONTHLY;BYDAY=1SU;BYHOUR=3`) by the clock of `time_zone`, not more often than hourly. */
  rrule: z.string().check(
    z.maxLength(500),
    z.refine(rule => ruleProblem(rule) === undefined, { error: ({ input }) => ruleProblem(String(input)) }),
  ),
  /** The rule counts from this time, which gives the hour, minute and second that it does not name. */
  from: TimeInput,
  time_zone: TimeZone,
})
export type JobRepeat = z.output<typeof JobRepeat>

/** A time, at once if it has passed, or a repetition. */
export const JobStart = z.union([TimeInput, JobRepeat], 'must be a time, or have rrule, from and time_zone')
export type JobStart = z.output<typeof JobStart>

/** The policy of a job. Without any field the command is sent to all devices at once. */
export const JobPolicy = z.strictObject({
  /** The devices beyond these waves form a last wave. */
  waves: z.optional(z.array(JobWave).check(z.minLength(1), z.maxLength(20))),
  /** Maximum devices a minute. */
  rate: z.optional(integer(1, maxDevices)),
  stop: z.optional(JobStop),
  /** Hours for which a task waits for a device that is offline, or `skip` to leave such devices out. */
  offline: z.optional(z.union([z.literal('skip'), integer(1, 720)], 'must be skip or a number of hours')),
  /** How often an unanswered command is sent again. */
  retries: z.optional(integer(0, 5)),
  window: z.optional(JobWindow),
  /** Only for `update_firmware`, where the default is 5 minutes. */
  success: z.optional(Success),
  /** The job does not begin before this time, or is repeated. */
  start: z.optional(JobStart),
})
export type JobPolicy = z.output<typeof JobPolicy>

/**
 * TDS creep: while a unit is idle, salt diffuses through the membrane, and the first draw flushes it out. Flushing
 * replaces the concentrate before the membrane with feed water.
 * The time constants are chosen so that a draw flushes out the creep of a night within a minute or two (docs/simulator.md).
 */
import { msPerHour } from '../../src/domain/time.ts'

/** Limits that the creep approaches while idle: shares of the concentrate's and of the feed's TDS. */
const maxShareOfConcentrate = 0.2
const maxShareOfFeed = 0.6
/** Time constants (to 1/e): milliseconds idle, seconds of drawing and of flushing. */
const idleConstant = 8 * msPerHour
const drawConstant = 25
const flushConstant = 9

/**
 * Returns the creep in ppm after `time` milliseconds idle. `concentrate` and `feed` are their TDS in ppm, and `factor` is how
 * much more than usual the membrane lets through.
 */
export function creepAfterIdle(creep: number, concentrate: number, feed: number, time: number, factor = 1): number {
  const limit = factor * Math.min(maxShareOfConcentrate * concentrate, maxShareOfFeed * feed)
  return limit + (creep - limit) * Math.exp(-time / idleConstant)
}

/** Returns the creep in ppm after some seconds of drawing. */
export const creepAfterDraw = (creep: number, seconds: number): number => creep * Math.exp(-seconds / drawConstant)

/** Returns the integral of the creep over some seconds of drawing, ppm·s. */
export const saltFlushedOut = (creep: number, seconds: number): number =>
  creep * drawConstant * (1 - Math.exp(-seconds / drawConstant))

/** Returns the creep in ppm after some seconds of flushing. */
export const creepAfterFlush = (creep: number, seconds: number): number => creep * Math.exp(-seconds / flushConstant)

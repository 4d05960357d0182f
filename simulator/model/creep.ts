/**
 * TDS creep: while a unit is idle, salt diffuses through the membrane, and the first draw flushes it out. Flushing
 * replaces the concentrate before the membrane with feed water.
 * The time constants are chosen so that a draw flushes out the creep of a night within a minute or two (docs/api.md).
 */
import { msPerHour } from '../../src/domain/time.ts'

/** Limits that the permeate approaches while idle: shares of the TDS before the membrane and of the feed. */
const maxShareOfPrevious = 0.2
const maxShareOfFeed = 0.6
/** Time constants (to 1/e): milliseconds of standing, seconds of drawing and of flushing. */
const standing = 8 * msPerHour
const drawing = 25
const flushing = 9

/** Returns the creep in ppm after `time` milliseconds idle; `before` is the TDS before the membrane, ppm. */
export function tdsAfterStanding(creep: number, before: number, feed: number, time: number): number {
  const end = Math.min(maxShareOfPrevious * before, maxShareOfFeed * feed)
  return end + (creep - end) * Math.exp(-time / standing)
}

/** Returns the creep in ppm after so many seconds of drawing. */
export const tdsAfterDrawing = (creep: number, seconds: number): number => creep * Math.exp(-seconds / drawing)

/** Returns the integral of the creep over so many seconds of drawing, ppm·s. */
export const saltFlushedOut = (creep: number, seconds: number): number =>
  creep * drawing * (1 - Math.exp(-seconds / drawing))

/** Returns the creep in ppm after so many seconds of flushing. */
export const tdsAfterFlushing = (creep: number, seconds: number): number => creep * Math.exp(-seconds / flushing)

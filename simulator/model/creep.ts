/**
 * TDS creep: while a unit stands, salt wanders through the membrane from what stands before it, and the first draw
 * brings it out. Flushing puts feed water in the place of the concentrate and rinses the membrane.
 * The figures are such that a night's rest is out within a minute or two (docs/api.md).
 */
import { hour } from './time.ts'

/** What standing comes to in the end: this share of what stands before the membrane, but not as salty as the feed. */
const maxShareOfPrevious = 0.2
const maxShareOfFeed = 0.6
/** Within these times all but 37 % of the way is gone: milliseconds of standing, seconds of drawing and of flushing. */
const standing = 8 * hour
const drawing = 25
const flushing = 9

/** ppm after standing for so many milliseconds; `before` is what stands before the membrane, ppm. */
export function tdsAfterStanding(creep: number, before: number, feed: number, time: number): number {
  const end = Math.min(maxShareOfPrevious * before, maxShareOfFeed * feed)
  return end + (creep - end) * Math.exp(-time / standing)
}

/** ppm after so many seconds of drawing. */
export const tdsAfterDrawing = (creep: number, seconds: number): number => creep * Math.exp(-seconds / drawing)

/** ppm·s that came out in so many seconds of drawing. */
export const saltFlushedOut = (creep: number, seconds: number): number => creep * drawing * (1 - Math.exp(-seconds / drawing))

/** ppm after so many seconds of flushing. */
export const tdsAfterFlushing = (creep: number, seconds: number): number => creep * Math.exp(-seconds / flushing)

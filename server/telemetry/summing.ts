/** When readings are summed, wherever they are kept. */
import { msPerHour, msPerMinute } from '../../src/domain/time.ts'

/** Milliseconds after the end of an hour until it is summed, so that few readings are late. */
const settleTime = 30 * msPerMinute

/** Returns the end of the last hour that is to be summed. Both are milliseconds UTC. */
export const lastSummed = (now: number): number => Math.floor((now - settleTime) / msPerHour) * msPerHour

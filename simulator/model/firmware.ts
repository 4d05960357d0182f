/** Firmware updates of a unit: download, installation, and occasional failure. */
import type { UpdateProgress } from '../../server/protocol/messages.ts'
import type { Random } from './random.ts'
import { msPerSecond } from '../../src/domain/time.ts'

interface Step {
  /** Milliseconds UTC. */
  readonly at: number
  /** The progress that the unit reports from then on; null once the update is done. */
  readonly progress: UpdateProgress | null
}

/** How an update ends: it is refused at the start, fails, or its version is installed. */
export type UpdateOutcome = 'refused' | 'failed' | 'installed'

/** A running update with the times of all its steps. */
export interface FirmwareUpdate {
  readonly version: string
  readonly steps: readonly Step[]
}

/** Share of updates that fail, for example on a broken download or a wrong checksum (model assumption). */
const failureShare = 1 / 12

/**
 * Returns an update that begins at a time (milliseconds UTC), with random durations. The outcome is random unless it is
 * given.
 */
export function beginUpdate(
  version: string,
  at: number,
  rng: Random,
  outcome?: Exclude<UpdateOutcome, 'refused'>,
): FirmwareUpdate {
  const download = rng.between(6, 20) * msPerSecond
  const installation = rng.between(3, 8) * msPerSecond
  const phase = (name: UpdateProgress['phase'], from: number, length: number, parts: readonly number[]): Step[] =>
    parts.map(progress => ({ at: from + (length * progress) / 100, progress: { version, phase: name, progress } }))
  const steps = [
    ...phase('downloading', at, download, [0, 20, 40, 60, 80]),
    ...phase('installing', at + download, installation, [0, 50]),
    { at: at + download + installation, progress: null },
  ]
  const fails = outcome === undefined ? rng.chance(failureShare) : outcome === 'failed'
  if (!fails) return { version, steps }
  const completed = steps.slice(0, rng.integer(2, steps.length - 1))
  const { progress } = completed.at(-1)!.progress!
  return {
    version,
    steps: [...completed, { at: steps[completed.length]!.at, progress: { version, phase: 'failed', progress } }],
  }
}

/** Returns the progress to report at a time; null once the update is done. */
export const progressAt = ({ steps }: FirmwareUpdate, at: number): UpdateProgress | null =>
  (steps.findLast(step => step.at <= at) ?? steps[0]!).progress

/** Returns the time of the next progress; `Infinity` after the last one. */
export const nextProgress = ({ steps }: FirmwareUpdate, at: number): number =>
  steps.find(step => step.at > at)?.at ?? Number.POSITIVE_INFINITY

/** How a unit updates its firmware: it downloads, installs, and sometimes fails. */
import type { UpdateProgress } from '../../server/protocol/messages.ts'
import type { Random } from './random.ts'
import { second } from './time.ts'

interface Step {
  /** Milliseconds UTC. */
  readonly at: number
  /** What the unit tells from then on; nothing once it is done. */
  readonly progress: UpdateProgress | null
}

/** An update on its way, from its first step to its last. */
export interface FirmwareUpdate {
  readonly version: string
  readonly steps: readonly Step[]
}

/** One update in twelve fails: the download breaks off, or what came does not fit its checksum. */
const failing = 1 / 12

export function beginUpdate(version: string, at: number, dice: Random): FirmwareUpdate {
  const download = dice.between(6, 20) * second
  const installation = dice.between(3, 8) * second
  const phase = (name: UpdateProgress['phase'], from: number, length: number, parts: readonly number[]): Step[] =>
    parts.map(progress => ({ at: from + (length * progress) / 100, progress: { version, phase: name, progress } }))
  const steps = [
    ...phase('downloading', at, download, [0, 20, 40, 60, 80]),
    ...phase('installing', at + download, installation, [0, 50]),
    { at: at + download + installation, progress: null },
  ]
  if (!dice.chance(failing)) return { version, steps }
  const lasting = steps.slice(0, dice.whole(2, steps.length - 1))
  const { progress } = lasting.at(-1)!.progress!
  return {
    version,
    steps: [...lasting, { at: steps[lasting.length]!.at, progress: { version, phase: 'failed', progress } }],
  }
}

/** What it tells at a moment. */
export const progressAt = ({ steps }: FirmwareUpdate, at: number): UpdateProgress | null =>
  (steps.findLast(step => step.at <= at) ?? steps[0]!).progress

/** When there is something new to tell; never again after its end. */
export const nextProgress = ({ steps }: FirmwareUpdate, at: number): number =>
  steps.find(step => step.at > at)?.at ?? Number.POSITIVE_INFINITY

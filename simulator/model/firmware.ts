/** How a unit updates its firmware: it downloads, installs, and sometimes fails. */
import type { UpdateProgress } from '../../server/protocol/messages.ts'
import type { Random } from './random.ts'
import { second } from './time.ts'

interface Step {
  /** Milliseconds UTC. */
  readonly at: number
  /** What the unit tells from then on; nothing once it is done. */
  readonly told: UpdateProgress | null
}

/** An update on its way, from its first step to its last. */
export interface Updating {
  readonly version: string
  readonly steps: readonly Step[]
}

/** One update in twelve fails: the download breaks off, or what came does not fit its checksum. */
const failing = 1 / 12

export function beginUpdate(version: string, at: number, dice: Random): Updating {
  const download = dice.between(6, 20) * second
  const installation = dice.between(3, 8) * second
  const phase = (name: UpdateProgress['phase'], from: number, length: number, parts: readonly number[]): Step[] =>
    parts.map(progress => ({ at: from + (length * progress) / 100, told: { version, phase: name, progress } }))
  const steps = [
    ...phase('downloading', at, download, [0, 20, 40, 60, 80]),
    ...phase('installing', at + download, installation, [0, 50]),
    { at: at + download + installation, told: null },
  ]
  if (!dice.chance(failing)) return { version, steps }
  const lasting = steps.slice(0, dice.whole(2, steps.length - 1))
  const { progress } = lasting.at(-1)!.told!
  return {
    version,
    steps: [...lasting, { at: steps[lasting.length]!.at, told: { version, phase: 'failed', progress } }],
  }
}

/** What it tells at a moment. */
export const toldAt = ({ steps }: Updating, at: number): UpdateProgress | null =>
  (steps.findLast(step => step.at <= at) ?? steps[0]!).told

/** When there is something new to tell; never again after its end. */
export const nextTold = ({ steps }: Updating, at: number): number =>
  steps.find(step => step.at > at)?.at ?? Number.POSITIVE_INFINITY

/** The bypass: a valve that blends feed water into the permeate, past the membrane, for its taste. */
import type { FleetDevice } from '../../server/protocol/fleetFile.ts'
import { maxBypassShare } from '../../src/domain/ro.ts'

/** Shares of the permeate flow: by valve state, and what the smart bypass adds (model assumptions). */
const byState = { 0: 0, 1: 0.01, 2: 0.02, 3: 0.04 } as const
const bySmart = { 0: 0, 1: 0.01, 2: 0.02 } as const

/** Returns the feed water that is blended in, as a share of the permeate flow of the membrane (l/min). */
export type Blend = (permeate: number) => number

/** Returns the blend of a bypass. `rates`: l/min in each state of the valve, where the device's model says them. */
export const bypassBlend =
  ({ state, smart }: FleetDevice['bypass'], rates: readonly number[] | undefined): Blend =>
  permeate =>
    bySmart[smart] + (rates === undefined ? byState[state] : Math.min(maxBypassShare, rates[state]! / permeate))

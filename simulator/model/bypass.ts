/** The bypass: a valve that blends feed water into the permeate, past the membrane, for its taste. */
import type { FleetDevice } from '../../server/protocol/fleetFile.ts'

/** Shares of the permeate flow: by valve state, and what the smart bypass adds (model assumptions). */
const byState = { 0: 0, 1: 0.01, 2: 0.02, 3: 0.04 } as const
const bySmart = { 0: 0, 1: 0.01, 2: 0.02 } as const

/** Returns the feed water that is blended in, as a share of the permeate flow. */
export const bypassShare = ({ state, smart }: FleetDevice['bypass']): number => byState[state] + bySmart[smart]

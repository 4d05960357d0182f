/** The bypass: a valve that adds some feed water to the permeate, past the membrane, for its taste. */
import type { FleetDevice } from '../../server/protocol/fleetFile.ts'

/** Shares of the permeate's flow: the valve's states, and what the smart bypass adds. */
const byState = { 0: 0, 1: 0.01, 2: 0.02, 3: 0.04 } as const
const bySmart = { 0: 0, 1: 0.01, 2: 0.02 } as const

/** The share of the permeate's flow that is added to it. */
export const bypassShare = ({ state, smart }: FleetDevice['bypass']): number => byState[state] + bySmart[smart]

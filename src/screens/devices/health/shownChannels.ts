/** The channels of health that have charts. */
import type { DeviceHealth } from '../../../api/contract/health/device.ts'
import type { Channel } from '../../../domain/health/types/channels.ts'

/** The large charts, and the small ones below them. */
const small: readonly Channel[] = ['r', 'h', 'p', 'f', 'tank']

const has = ({ points }: DeviceHealth, channel: Channel) => points.some(({ values }) => values[channel] !== undefined)

/** Returns the channels of the membrane: short draws stand for the salt passage where there is no other. */
export const largeChannels = (health: DeviceHealth): readonly Channel[] =>
  (['a', has(health, 'b') ? 'b' : 'brief'] as const).filter(channel => has(health, channel))

export const smallChannels = (health: DeviceHealth): readonly Channel[] => small.filter(channel => has(health, channel))

export const shownChannels = (health: DeviceHealth): readonly Channel[] => [
  ...largeChannels(health),
  ...smallChannels(health),
]

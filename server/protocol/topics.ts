/** Where devices and server speak: `permeate/v1/{bssid}/telemetry | state | ack` from a device, `/command` to it. */
import { normaliseBssid } from '../../src/domain/bssid.ts'

/** What a device says, by the last level of its topic. */
export const deviceTopics = ['telemetry', 'state', 'ack'] as const
export type DeviceTopic = (typeof deviceTopics)[number]

const root = 'permeate/v1'
const written = /^[0-9A-F]{12}$/

/**
 * A device as it is called on the wire, in topics and as user name and client id: its bssid without the colons, which
 * the user names of Mosquitto cannot hold. So a broker can say by one pattern which topics are whose.
 */
export const wireName = (bssid: string): string => bssid.replaceAll(':', '')

/** The topic of one device. */
export const topicOf = (bssid: string, last: DeviceTopic | 'command'): string => `${root}/${wireName(bssid)}/${last}`

/** The filter that holds one kind of message of every device. */
export const everyDevice = (last: DeviceTopic): string => `${root}/+/${last}`

/** Who speaks of what on a topic; `undefined` where it is none of the devices'. */
export function deviceTopic(topic: string): { readonly bssid: string; readonly last: DeviceTopic } | undefined {
  if (!topic.startsWith(`${root}/`)) return undefined
  const [name = '', last = '', ...more] = topic.slice(root.length + 1).split('/')
  const known = deviceTopics.find(each => each === last)
  if (known === undefined || more.length > 0 || !written.test(name)) return undefined
  return { bssid: normaliseBssid(name), last: known }
}

/** Where devices and server speak: `permeate/v1/{bssid}/telemetry | state | ack` from a device, `/command` to it. */
import { bssidPattern } from '../../../src/domain/bssid.ts'

/** What a device says, by the last level of its topic. */
export const deviceTopics = ['telemetry', 'state', 'ack'] as const
export type DeviceTopic = (typeof deviceTopics)[number]

const root = 'permeate/v1'

/** The topic of one device. */
export const topicOf = (bssid: string, last: DeviceTopic | 'command'): string => `${root}/${bssid}/${last}`

/** The filter that holds one kind of message of every device. */
export const everyDevice = (last: DeviceTopic): string => `${root}/+/${last}`

/** Who speaks of what on a topic; `undefined` where it is none of the devices'. */
export function deviceTopic(topic: string): { readonly bssid: string; readonly last: DeviceTopic } | undefined {
  if (!topic.startsWith(`${root}/`)) return undefined
  const [bssid = '', last = '', ...more] = topic.slice(root.length + 1).split('/')
  const known = deviceTopics.find(name => name === last)
  return known !== undefined && more.length === 0 && bssidPattern.test(bssid) ? { bssid, last: known } : undefined
}

/** MQTT topics: `permeate/v1/{bssid}/telemetry | state | ack` from a device, `…/command` to it. */
import { normaliseBssid } from '../../src/domain/bssid.ts'

/** The kinds of messages from devices: the last level of the topic. */
export const deviceTopics = ['telemetry', 'state', 'ack'] as const
export type DeviceTopic = (typeof deviceTopics)[number]

const root = 'permeate/v1'
const wireNamePattern = /^[0-9A-F]{12}$/

/**
 * Returns a device's name in topics, and its user name and client id: the BSSID without colons, which Mosquitto does
 * not allow in user names. With the same name everywhere, a broker can restrict devices to their own topics by one
 * pattern.
 */
export const wireName = (bssid: string): string => bssid.replaceAll(':', '')

/** Returns a topic of a device. */
export const topicOf = (bssid: string, kind: DeviceTopic | 'command'): string => `${root}/${wireName(bssid)}/${kind}`

/** Returns the topic filter for one kind of message of all devices. */
export const allDevicesFilter = (kind: DeviceTopic): string => `${root}/+/${kind}`

/** Returns the device and the kind of message of a topic; `undefined` if it is not a topic of devices. */
export function parseDeviceTopic(topic: string): { readonly bssid: string; readonly kind: DeviceTopic } | undefined {
  if (!topic.startsWith(`${root}/`)) return undefined
  const [name = '', lastLevel = '', ...rest] = topic.slice(root.length + 1).split('/')
  const kind = deviceTopics.find(candidate => candidate === lastLevel)
  if (kind === undefined || rest.length > 0 || !wireNamePattern.test(name)) return undefined
  return { bssid: normaliseBssid(name), kind }
}

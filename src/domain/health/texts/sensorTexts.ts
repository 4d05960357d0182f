/** What is not known of a device while sensors of it are defective. */
import { lowerFirst } from '../../lib/lowerFirst.ts'
import { knownDays } from '../channelState.ts'
import { isScoreUnsure } from '../score.ts'
import { deviceSensors, unobservedChannels, type SensorFault } from '../types/sensors.ts'
import { observedChannels } from '../types/channels.ts'
import { channelTexts } from './channelTexts.ts'

const list = new Intl.ListFormat('en')

/** Returns what is not measured while these sensors are defective, and what that means for the score; undefined without one. */
export function defectiveText(faults: readonly SensorFault[]): string | undefined {
  if (faults.length === 0) return undefined
  const names = list.format(faults.map(fault => deviceSensors[fault].name))
  const score = isScoreUnsure(faults)
    ? `The score counts what was measured in the ${knownDays} days before.`
    : 'The score does not need it.'
  return `The ${names} ${faults.length === 1 ? 'is' : 'are'} reported as defective. ${unmeasuredText(faults)} ${score}`
}

function unmeasuredText(faults: readonly SensorFault[]): string {
  const channels = unobservedChannels(faults)
  if (channels.length === observedChannels.length) return 'Cartridges are not measured until it is repaired.'
  // The salt passage of short draws goes with that of others.
  const names = channels.filter(channel => channel !== 'brief').map(channel => lowerFirst(channelTexts[channel].name))
  return `Not measured until then: ${list.format(names)}.`
}

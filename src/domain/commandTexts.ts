/** What a device was told, in words: `Auto-flush: mode Before, every 5th draw`. */
import {
  bypassStates,
  flushFrequencies,
  flushFrequencyNames,
  flushModes,
  smartFlushNames,
  uvModes,
  type SmartFlush,
  type Tone,
} from './device.ts'
import { amount } from './format.ts'
import { unitOf, type UnitChoice } from './units.ts'

type Value = string | number | boolean | null
type Values = Readonly<Record<string, Value>>

export const commandStates = {
  sent: { label: 'On its way', tone: 'busy' },
  done: { label: 'Done', tone: 'ok' },
  refused: { label: 'Refused', tone: 'bad' },
  unanswered: { label: 'No answer', tone: 'warn' },
} as const satisfies Readonly<Record<string, { label: string; tone: Tone }>>

/** Each setting of auto-flush by its name on the wire. */
const flushTexts: Readonly<Record<string, (value: Value, units: UnitChoice) => string>> = {
  smart: value => (value === null ? 'smart flush off' : smartFlushNames[value as SmartFlush].toLowerCase()),
  mode: value => `mode ${flushModes[value as number]?.toLowerCase()}`,
  frequency: value => `every ${flushFrequencyNames[flushFrequencies.findIndex(each => each === value)]} draw`,
  duration: value => `${value} s`,
  volume: (value, units) => `${amount(value as number, 'volume', units)} ${unitOf('volume', units).symbol}`,
}
const smartBypass = ['off', 'low', 'high'] as const

const texts: Readonly<Record<string, (values: Values, units: UnitChoice) => string>> = {
  flush: () => 'Flush',
  reboot: () => 'Reboot',
  lock: ({ locked }) => (locked ? 'Lock' : 'Unlock'),
  valve: ({ closed }) => (closed ? 'Close the valve' : 'Open the valve'),
  reset: ({ scope }) => (scope === 'factory' ? 'Factory reset' : 'Reset settings'),
  set_flush: (values, units) =>
    `Auto-flush: ${Object.entries(values)
      .map(([name, value]) => flushTexts[name]?.(value, units) ?? `${name} ${value}`)
      .join(', ')}`,
  set_idle_protection: ({ duration }) => `Idle protection: ${duration === 0 ? 'off' : `${duration} min`}`,
  set_bypass: ({ smart, state }) =>
    `Bypass: ${[
      smart !== undefined && `smart ${smartBypass[smart as number]}`,
      state !== undefined && `valve ${bypassStates[state as number]?.toLowerCase()}`,
    ]
      .filter(Boolean)
      .join(', ')}`,
  set_uv: ({ mode }) => `UV module: ${uvModes[mode as number]?.toLowerCase()}`,
  update_firmware: ({ version }) => `Update firmware to ${version}`,
}

/** A kind of command that this console does not know goes by its own name. */
export const commandText = (type: string, values: Values, units: UnitChoice): string =>
  texts[type]?.(values, units) ?? type.replaceAll('_', ' ')

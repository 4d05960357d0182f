/** Texts of the commands that were sent to a device: `Auto-flush: mode before, every 5th draw`. */
import { allSettings, type SettingValues } from '../../api/contract/settings.ts'
import type { Tone } from '../../domain/device.ts'
import type { UnitChoice } from '../../domain/units.ts'

/** Label and colour of each state of a sent command. */
export const commandStates = {
  sent: { label: 'Sent', tone: 'busy' },
  done: { label: 'Done', tone: 'ok' },
  refused: { label: 'Refused', tone: 'bad' },
  unanswered: { label: 'No answer', tone: 'warn' },
} as const satisfies Readonly<Record<string, { label: string; tone: Tone }>>

type CommandText = (values: SettingValues, units: UnitChoice) => string

const settingTexts = Object.fromEntries(
  allSettings.map(([name, { title, texts }]): [string, CommandText] => [
    `set_${name}`,
    (values, units) =>
      `${title}: ${Object.entries(values)
        .map(([field, value]) => texts[field]?.(value, units) ?? `${field} ${value}`)
        .join(', ')}`,
  ]),
)

const texts: Readonly<Record<string, CommandText>> = {
  flush: () => 'Flush',
  reboot: () => 'Reboot',
  lock: ({ locked }) => (locked ? 'Lock' : 'Unlock'),
  valve: ({ closed }) => (closed ? 'Close the valve' : 'Open the valve'),
  reset: ({ scope }) => (scope === 'factory' ? 'Factory reset' : 'Reset settings'),
  ...settingTexts,
  update_firmware: ({ version }) => `Update firmware to ${version}`,
}

/** Returns the text of a sent command. Types that this console does not know are shown as their name. */
export const commandText = (type: string, values: SettingValues, units: UnitChoice): string =>
  texts[type]?.(values, units) ?? type.replaceAll('_', ' ')

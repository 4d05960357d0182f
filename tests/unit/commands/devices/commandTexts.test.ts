import { expect, test } from 'vitest'
import { sentCommandStates } from '../../../../src/api/contract/sentCommands.ts'
import { commandStates, commandText } from '../../../../src/commands/devices/commandTexts.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'

test.each([
  ['flush', {}, 'Flush'],
  ['reboot', {}, 'Reboot'],
  ['lock', { locked: false }, 'Unlock'],
  ['valve', { closed: true }, 'Close the valve'],
  ['reset', { scope: 'factory' }, 'Factory reset'],
  [
    'set_flush',
    { smart: 'save_water', mode: 2, frequency: 5, duration: 18, volume: 3.785411784 },
    'Auto-flush: save water, mode before, every 5th draw, 18 s, 3.8 l',
  ],
  ['set_flush', { smart: null }, 'Auto-flush: smart flush off'],
  ['set_idle_protection', { duration: 0 }, 'Idle protection: off'],
  ['set_bypass', { state: 2 }, 'Bypass: valve rate 2'],
  ['set_bypass', { smart: 1, state: 0 }, 'Bypass: smart low, valve closed'],
  ['set_uv', { mode: 1 }, 'UV module: on'],
  ['update_firmware', { version: '2.2.4' }, 'Update firmware to 2.2.4'],
  ['calibrate_sensor', { at: 4 }, 'calibrate sensor'],
] as const)('%s %o', (type, values, text) => {
  expect(commandText(type, values, defaultUnits)).toBe(text)
})

test('amounts are in the chosen unit', () => {
  const units = { ...defaultUnits, volume: 'gal' } as const
  expect(commandText('set_flush', { volume: 3.785411784 }, units)).toBe('Auto-flush: 1.0 gal')
})

test('every command state has a label', () => expect(Object.keys(commandStates)).toEqual([...sentCommandStates]))

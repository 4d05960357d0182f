/** The line of an incident. */
import { expect, test } from 'vitest'
import { formatTime } from '../../../../src/domain/format.ts'
import { incidentDetails, incidentText } from '../../../../src/domain/notifications/texts.ts'

const created_at = '2026-11-25T00:01:10.000Z'
const device = { company_name: 'Fjordvann AS' }
const incident = { devices: 40, open: 40, water_supply: null, ended_at: null }
const line = { type: 'device_offline', created_at, device, incident } as const
const since = formatTime(created_at)

test.each([
  ['while it lasts', line, `Offline: 40 devices of Fjordvann AS, since ${since}`, []],
  [
    'of several vendors',
    { ...line, incident: { ...incident, devices: 140, open: 139, vendors: 3 } },
    `Offline: 140 devices of 3 vendors, since ${since}`,
    ['139 of 140 remain'],
  ],
  [
    'while some of its devices are back',
    { ...line, incident: { ...incident, devices: 1_200, open: 12 } },
    `Offline: 1,200 devices of Fjordvann AS, since ${since}`,
    ['12 of 1,200 remain'],
  ],
  [
    'on a supply, after its end',
    {
      ...line,
      type: 'no_feed_water',
      incident: { ...incident, open: 0, water_supply: 'Harbour main', ended_at: '2026-11-25T01:30:00.000Z' },
    },
    `No feed water: 40 devices on Harbour main, ${since} to ${formatTime('2026-11-25T01:30:00.000Z')}`,
    ['Fjordvann AS'],
  ],
  [
    'of events within a minute',
    {
      ...line,
      type: 'firmware_updated',
      incident: { ...incident, devices: 1, open: 0, ended_at: '2026-11-25T00:01:40.000Z' },
    },
    `Firmware updated successfully: 1 device of Fjordvann AS, at ${since}`,
    [],
  ],
] as const)('%s', (_, shown, text, details) => {
  expect(incidentText(shown)).toBe(text)
  expect(incidentDetails(shown)).toEqual(details)
})

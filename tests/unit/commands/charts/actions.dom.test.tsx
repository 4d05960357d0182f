/** The days that the charts show: the newest, earlier ones, and the day of a given time. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deviceZones, statisticsQuery } from '../../../../src/api/statistics.ts'
import { showEarlier, showLater } from '../../../../src/commands/charts/actions.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import type { Context } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { systemTimeZone } from '../../../../src/domain/systemTimeZone.ts'
import { chartedDevices, charts, showTime } from '../../../../src/store/charts.ts'
import { wallTime } from '../../../../src/domain/zone.ts'

/** At noon UTC it is already the next date in the east; just after midnight it is still the previous one in the west. */
const here = systemTimeZone()
const noon = Date.UTC(2026, 10, 20, 12)
const [east, west] = ['Pacific/Kiritimati', 'Etc/GMT+12']
const day = 86_400_000

const dateIn = (zone: string, instant: number) => new Date(wallTime(zone, instant)).toISOString().slice(0, 10)
/** The last day shown, in the viewer's zone. */
const lastDay = () => {
  const { until } = statisticsQuery(charts, chartedDevices(), Date.now(), here)
  return dateIn(here, (until === undefined ? Date.now() : Date.parse(until)) - 1)
}
const context: Context = { role: 'vendor', path: '/charts', list: undefined, targets: () => [], last: undefined }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(noon)
  charts.onlyDevice = 'A'
  showTime({ range: 'day', until: undefined, zone: 'viewer', cursorTime: undefined })
})
afterEach(() => {
  vi.useRealTimers()
  for (const bssid of Object.keys(deviceZones)) delete deviceZones[bssid]
  charts.onlyDevice = undefined
  showTime({ until: undefined, zone: 'viewer', cursorTime: undefined })
})

describe('the newest day', () => {
  test('in the devices’ zones is the latest date there, and every earlier day can be reached', () => {
    deviceZones.A = east
    expect(lastDay()).toBe(dateIn(here, noon))
    charts.zone = 'device'
    expect(lastDay()).toBe(dateIn(east, noon))
    for (const back of [1, 2]) {
      showEarlier()
      expect(lastDay()).toBe(dateIn(east, noon - back * day))
    }
    showLater()
    expect(lastDay()).toBe(dateIn(east, noon - day))
    showLater()
    expect([charts.until, lastDay()]).toEqual([undefined, dateIn(east, noon)])
  })

  test('in the devices’ zones is not a date that has not begun there', () => {
    vi.setSystemTime(noon - (wallTime(here, noon) % day) + 60_000)
    deviceZones.A = west
    charts.zone = 'device'
    expect(lastDay()).toBe(dateIn(west, Date.now()))
  })

  test('is the viewer’s if the device’s zone is unknown or missing', () => {
    charts.zone = 'device'
    expect(lastDay()).toBe(dateIn(here, noon))
    deviceZones.A = null
    expect(lastDay()).toBe(dateIn(here, noon))
  })
})

test('a given time is shown in the viewer’s zone', async () => {
  charts.zone = 'device'
  const at = new Date(noon - 5 * day).toISOString()
  await commandOf('charts.show')
    .prepare(context, { device: 'A', at })
    .run({ go: () => undefined } as unknown as Services)
  expect({ ...charts }).toMatchObject({ zone: 'viewer', range: 'day', cursorTime: at, onlyDevice: 'A' })
  expect(lastDay()).toBe(dateIn(here, Date.parse(at)))
})

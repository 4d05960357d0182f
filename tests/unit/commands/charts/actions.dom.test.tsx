/** What the charts show: the last 24 hours, earlier days, and a given time. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deviceZones } from '../../../../src/api/statistics.ts'
import { showEarlier, showLater } from '../../../../src/commands/charts/actions.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import type { Context } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { systemTimeZone } from '../../../../src/domain/systemTimeZone.ts'
import { charts, showTime } from '../../../../src/store/charts.ts'
import { wallTime } from '../../../../src/domain/zone.ts'

/** At noon UTC it is already the next date in the east; just after midnight it is still the previous one in the west. */
const here = systemTimeZone()
const noon = Date.UTC(2026, 10, 20, 12)
const [east, west] = ['Pacific/Kiritimati', 'Etc/GMT+12']
const day = 86_400_000

const dateIn = (zone: string, instant: number) => new Date(wallTime(zone, instant)).toISOString().slice(0, 10)
/** The calendar day shown, in the viewer's zone; undefined for the last 24 hours. */
const shownDay = () => (charts.until === undefined ? undefined : dateIn(here, Date.parse(charts.until) - 1))
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

describe('the last 24 hours', () => {
  test('follow the latest date in the devices’ zones, and every earlier day can be reached', () => {
    deviceZones.A = east
    charts.zone = 'device'
    for (const back of [1, 2]) {
      showEarlier()
      expect(shownDay()).toBe(dateIn(east, noon - back * day))
    }
    showLater()
    expect(shownDay()).toBe(dateIn(east, noon - day))
    showLater()
    expect(shownDay()).toBeUndefined()
  })

  test('follow no date that has not begun in the devices’ zones', () => {
    vi.setSystemTime(noon - (wallTime(here, noon) % day) + 60_000)
    deviceZones.A = west
    charts.zone = 'device'
    showEarlier()
    expect(shownDay()).toBe(dateIn(west, Date.now() - day))
  })

  test('follow yesterday if the device’s zone is unknown, missing or not used', () => {
    for (const [zone, deviceZone] of [
      ['device', undefined],
      ['device', null],
      ['viewer', east],
    ] as const) {
      showTime({ zone, until: undefined })
      if (deviceZone !== undefined) deviceZones.A = deviceZone
      showEarlier()
      expect(shownDay()).toBe(dateIn(here, noon - day))
    }
  })
})

describe('a given time', () => {
  const show = (at: string) =>
    commandOf('charts.show')
      .prepare(context, { device: 'A', at })
      .run({ go: () => undefined } as unknown as Services)

  test('is shown in its day in the viewer’s zone', async () => {
    charts.zone = 'device'
    const at = new Date(noon - 5 * day).toISOString()
    await show(at)
    expect({ ...charts }).toMatchObject({ zone: 'viewer', range: 'day', cursorTime: at, onlyDevice: 'A' })
    expect(shownDay()).toBe(dateIn(here, Date.parse(at)))
  })

  test('of the last 24 hours is shown in these', async () => {
    charts.range = 'month'
    const at = new Date(noon - 0.9 * day).toISOString()
    await show(at)
    expect({ ...charts }).toMatchObject({ until: undefined, range: 'day', cursorTime: at })
  })
})

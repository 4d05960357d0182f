/** Changed devices from the live stream, merged into cached lists and details. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { deliveredDevices } from '../../../src/api/deliveredDevices.ts'
import { recordUpdates, updateDetail, updateList, updatesSince } from '../../../src/api/deviceUpdates.ts'
import type { Device, DeviceDetail } from '../../../src/api/contract/devices.ts'
import { isSameResponse } from '../../../src/domain/lib/isSameResponse.ts'

/** A device with only the fields that these tests compare. */
const row = (bssid: string, description = 'Before') => ({ bssid, description }) as Device
const byKey = (rows: readonly Device[]) => new Map(rows.map(row => [row.bssid, { row }]))

describe('updateList', () => {
  const keys = fc.uniqueArray(fc.nat(60).map(String), { maxLength: 40 })

  test('law: keeps keys and order, replaces changed rows, and keeps the objects of all others', () => {
    fc.assert(
      fc.property(keys, keys, fc.nat(1000), (listed, changing, count) => {
        const list = { count, data: listed.map(key => row(key)) }
        const changed = byKey(changing.map(key => row(key, 'After')))
        const after = updateList(list, changed)
        expect(after.count).toBe(count)
        expect(after.data.map(({ bssid }) => bssid)).toEqual(listed)
        for (const [at, one] of after.data.entries()) expect(one).toBe(changed.get(one.bssid)?.row ?? list.data[at])
      }),
    )
  })

  test('returns the same list if it contains none of the changed rows', () => {
    const list = { count: 1, data: [row('A')] }
    expect(updateList(list, byKey([row('B')]))).toBe(list)
  })
})

test('updateDetail takes the changed values and keeps the statistics', () => {
  const detail = { ...row('A'), firmware_versions: ['2'], statistics: {} } as unknown as DeviceDetail
  expect(updateDetail(detail, byKey([row('A', 'After')]))).toEqual({ ...detail, description: 'After' })
  expect(updateDetail(detail, byKey([row('B', 'After')]))).toBe(detail)
})

/** The data of an event as the server writes it: each row on a line of its own. */
const eventOf = (...rows: readonly Device[]) => `{"devices":[\n${rows.map(one => JSON.stringify(one)).join(',\n')}\n]}`

test('updatesSince returns the updates received since the given time, for responses requested before them', () => {
  const since = (time: number) => ['A', 'B'].map(bssid => updatesSince(time).get(bssid)?.row)
  recordUpdates(deliveredDevices(eventOf(row('A', 'At 10'), row('B', 'At 10'))), 10)
  recordUpdates(deliveredDevices(eventOf(row('B', 'At 20'))), 20)
  expect(since(0)).toEqual([row('A', 'At 10'), row('B', 'At 20')])
  expect(since(15)).toEqual([undefined, row('B', 'At 20')])
  expect(updatesSince(15).has('A')).toBe(false)
  expect(since(21)).toEqual([undefined, undefined])
  // Old updates are removed.
  recordUpdates(new Map(), 100_000)
  expect(since(0)).toEqual([undefined, undefined])
})

describe('the rows of an event', () => {
  test('are parsed only where a list or a detail has them, and once', () => {
    const parse = vi.spyOn(JSON, 'parse')
    const event = eventOf(...Array.from({ length: 1000 }, (_, at) => row(`${at}`, 'After')))
    const changed = deliveredDevices(event)
    expect(parse).not.toHaveBeenCalled()
    const lists = [
      [row('7'), row('none')],
      [row('7'), row('8')],
    ].map(data => updateList({ count: 2, data }, changed))
    expect(lists.map(({ data }) => data.map(({ description }) => description))).toEqual([
      ['After', 'Before'],
      ['After', 'After'],
    ])
    expect(parse).toHaveBeenCalledTimes(2)
    expect(lists[0]!.data[0]).toBe(lists[1]!.data[0])
    parse.mockRestore()
  })

  test('law: are the same in any layout of the JSON, whatever a description says', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(60).map(String), { maxLength: 9 }), fc.string(), (ids, text) => {
        const rows = ids.map(id => ({ description: `${text}"bssid":"X",\n]}`, bssid: id }) as Device)
        for (const data of [eventOf(...rows), JSON.stringify({ devices: rows })]) {
          const delivered = deliveredDevices(data)
          expect([...delivered.keys()]).toEqual(ids)
          expect(ids.map(id => delivered.get(id)?.row)).toEqual(rows)
        }
      }),
    )
  })
})

describe('isSameResponse', () => {
  const json = fc.jsonValue()
  const list = fc.record({ count: fc.nat(9), data: fc.array(json, { maxLength: 5 }) })
  const copy = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T

  test('law: compares values as their JSON would', () => {
    fc.assert(
      fc.property(fc.oneof(json, list), fc.oneof(json, list), (one, other) => {
        expect(isSameResponse(one, copy(one))).toBe(true)
        expect(isSameResponse(one, other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
    )
  })

  test('law: distinguishes lists by any row, the count or the number of rows', () => {
    fc.assert(
      fc.property(list, fc.nat(9), (one, at) => {
        expect(isSameResponse(one, { ...copy(one), count: one.count + 1 })).toBe(false)
        expect(isSameResponse(one, { ...one, data: [...one.data, null] })).toBe(false)
        if (at < one.data.length)
          expect(isSameResponse(one, { ...one, data: one.data.with(at, { is: 'new' }) })).toBe(false)
      }),
    )
  })

  test('distinguishes a missing answer from an empty list', () => {
    expect(isSameResponse(undefined, { count: 0, data: [] })).toBe(false)
    expect(isSameResponse(undefined, undefined)).toBe(true)
  })
})

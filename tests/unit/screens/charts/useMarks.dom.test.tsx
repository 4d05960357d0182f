import { renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import * as notifications from '../../../../src/api/notifications.ts'
import type { Notification } from '../../../../src/api/contract/notifications.ts'
import { chartModel } from '../../../../src/domain/charts/lines.ts'
import { useMarks } from '../../../../src/screens/charts/useMarks.ts'
import { sampleDevice } from '../../support/charts.ts'

afterEach(() => vi.restoreAllMocks())

const model = chartModel([sampleDevice({ range: 'day', until: Date.UTC(2026, 5, 2), zone: 'UTC' })], {
  zone: 'UTC',
  perDevice: false,
})
const begins = model.grid.rows[0]!.startsAt

/** Returns the marks of `count` notifications, one a minute until `newest`. */
function marksOf(count: number, newest: number) {
  const data = Array.from({ length: count }, (_, at) => ({
    _id: String(at),
    type: 0,
    values: {},
    created_at: new Date(newest - at * 60_000).toISOString(),
    device: { bssid: 'A' },
  })) as unknown as Notification[]
  vi.spyOn(notifications, 'useDeviceNotifications').mockReturnValue({ data } as never)
  const { result } = renderHook(() => useMarks(['A'], model, new Set()))
  return result.current
}

test('`since` is the time from which all notifications are loaded if older ones may be missing', () => {
  const noon = begins + 12 * 3_600_000
  expect(marksOf(20, noon)).toMatchObject({ since: undefined, marks: { length: 20 } })
  const late = begins + 23 * 3_600_000
  const oldest = late - 999 * 60_000
  expect(marksOf(1000, late)).toMatchObject({ since: new Date(oldest).toISOString(), marks: { length: 1000 } })
  // The oldest one is before the charted range, so that none is missing.
  expect(marksOf(1000, noon).since).toBeUndefined()
})

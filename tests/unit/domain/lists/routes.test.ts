/** The screen and the device of a path. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bssidInPath, screenAt } from '../../../../src/domain/lists/routes.ts'

test.each([
  ['/devices/A4:1C:09:7E:33:0B', 'A4:1C:09:7E:33:0B'],
  ['/devices/A4%3A1C%3A09%3A7E%3A33%3A0B', 'A4:1C:09:7E:33:0B'],
  ['/devices/a41c097e330b', 'A4:1C:09:7E:33:0B'],
  ['/devices/%', '%'],
  ['/devices/%E0%A4%A', '%E0%A4%A'],
  ['/devices', undefined],
  ['/devices/models', undefined],
  ['/devices/', undefined],
  ['/charts', undefined],
])('on %s the device is %s', (path, bssid) => expect(bssidInPath(path)).toBe(bssid))

test('law: no path throws, and only the device screen has a device', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[%0-9A-F]{0,8}$/)), end => {
      const path = `/devices/${end}`
      expect(bssidInPath(path) !== undefined).toBe(screenAt(path) === 'device')
    }),
  )
})

import { expect, test } from 'vitest'
import { deviceCommand } from '../../../../src/commands/devices/shared.ts'
import { offlineStatus } from '../../../../src/domain/device.ts'

test('reachable devices are counted once for each selection', () => {
  let statusReads = 0
  const device = (status: number) => ({
    id: 'A4:1C',
    name: '',
    vendor: '',
    company: '',
    platform: '',
    get status() {
      statusReads++
      return status
    },
  })
  const targets = [device(1), device(offlineStatus)]
  expect(deviceCommand.preview(targets)).toBe('1 ready · 1 offline, skipped')
  const before = statusReads
  expect(deviceCommand.preview(targets)).toBe('1 ready · 1 offline, skipped')
  expect(statusReads).toBe(before)
})

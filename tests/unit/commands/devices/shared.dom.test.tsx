import { expect, test } from 'vitest'
import { deviceCommand } from '../../../../src/commands/devices/shared.ts'
import { offline } from '../../../../src/domain/device.ts'

test('who can be reached is counted once for each selection', () => {
  let looks = 0
  const device = (status: number) => ({
    id: 'A4:1C',
    name: '',
    vendor: '',
    company: '',
    platform: '',
    get status() {
      looks++
      return status
    },
  })
  const targets = [device(1), device(offline)]
  expect(deviceCommand.preview(targets)).toBe('1 now · 1 offline would be skipped')
  const before = looks
  expect(deviceCommand.preview(targets)).toBe('1 now · 1 offline would be skipped')
  expect(looks).toBe(before)
})
